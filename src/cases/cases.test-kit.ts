/** Typical requests of clients, and the exchanges that cases make of them. */
import type { Catalogue } from "../check/catalogue.ts";
import { lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { sdkHeaders } from "../reference/reference.ts";
import { jsonRequest } from "../wire/build.ts";
import type { Exchange, HeaderPairs, WireRequest } from "../wire/exchange.ts";
import { allCases } from "./all-cases.ts";
import type { Answer } from "./answer.ts";
import { createAnswers } from "./answers.ts";
import type { Case } from "./case.ts";
import type { InterfaceName } from "./interface-names.ts";
import { wayOf } from "./run/try-case.ts";

type Form = "stream" | "whole";

const parameters = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer" } },
  required: ["city"],
};
const ask = [{ role: "user", content: "What is the weather in Paris?" }];
const codings: HeaderPairs = [["Accept-Encoding", "gzip, deflate, br"]];
const bearer: HeaderPairs = [...codings, ["Authorization", "Bearer test-key"]];
const messagesKey: HeaderPairs = [...codings, ["x-api-key", "test-key"], ["anthropic-version", "2023-06-01"]];

/** The request of a typical client. */
export function typicalRequest(name: InterfaceName, form: Form, tools: boolean, more: object = {}): WireRequest {
  const stream = form === "stream" ? { stream: true } : {};
  const weather = { name: "get_weather", description: "Weather of a city" };
  const time = { name: "get_time", description: "Time in a city" };
  if (name === "chat-completions") {
    const own = [weather, time].map((tool) => ({ type: "function", function: { ...tool, parameters } }));
    const body = { model: "m", messages: ask, ...stream, ...(tools && { tools: own }), ...more };
    return jsonRequest("/v1/chat/completions", bearer, body);
  }
  if (name === "messages") {
    const own = [weather, time].map((tool) => ({ ...tool, input_schema: parameters }));
    const body = { model: "m", max_tokens: 4096, messages: ask, ...stream, ...(tools && { tools: own }), ...more };
    return jsonRequest("/v1/messages", messagesKey, body);
  }
  if (name === "images") return jsonRequest("/v1/images/generations", bearer, { prompt: "A circle.", ...more });
  const verb = form === "stream" ? "streamGenerateContent?alt=sse&key=test-key" : "generateContent?key=test-key";
  const own = [{ functionDeclarations: [weather, time].map((tool) => ({ ...tool, parameters })) }];
  const contents = [{ role: "user", parts: [{ text: "What is the weather in Paris?" }] }];
  return jsonRequest(`/v1beta/models/m:${verb}`, codings, { contents, ...(tools && { tools: own }), ...more });
}

/** An answer as the wire carries it. */
export function exchangeOf(request: WireRequest, { status, headers, pieces, trailers, end }: Answer): Exchange {
  const body = Buffer.concat(pieces.map(({ bytes }) => bytes));
  const chunks = pieces.map(({ bytes }, i) => [i, bytes.length] as const);
  return {
    request,
    response: { status, headers, body, chunks, ...(trailers && { trailers }) },
    ...(end !== undefined && end !== "whole" && { aborted: "upstream" as const }),
  };
}

/** The members of requests that ask for more than a text. */
const wanted: Readonly<Record<NonNullable<Case["wants"]>, object>> = {
  usage: { stream_options: { include_usage: true } },
  choices: { n: 2 },
  pictures: { n: 3 },
  prefill: { messages: [...ask, { role: "assistant", content: "Well" }] },
};

/** Every case in every interface and form that it applies to. */
export const everyForm = allCases.flatMap((one) =>
  one.interfaces.flatMap((name) =>
    (["stream", "whole"] as const)
      .filter((form) => (one.form ?? form) === form && (name !== "images" || form === "whole"))
      .map((form) => ({ one, name, form })),
  ),
);

const at = { origin: "http://127.0.0.1:1", other: "http://localhost:2", isOther: false, now: 1_795_600_000_000 };
const names = namesFrom(sdkHeaders);

/** Judges the answers of cases to typical requests. */
export function createCaseJudge(catalogue: Catalogue) {
  const answers = createAnswers(catalogue);
  return (one: Case, name: InterfaceName, form: Form) => {
    const { tools, wants } = wayOf(one, { form });
    const request = typicalRequest(name, form, tools, wants && wanted[wants]);
    const plan = answers(one, "seed")(request, at);
    const exchange = exchangeOf(request, plan.answer);
    const place = { source: "", exchange: 0 };
    const { findings } = judge(exchange, place, catalogue, { names, policy: lenient, side: "response" });
    const errors = findings.filter(({ level }) => level === "error").map(({ clause }) => clause);
    return { plan, errors: [...new Set(errors)].sort() };
  };
}
