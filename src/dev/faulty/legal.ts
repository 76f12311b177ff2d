/** Servers that break nothing and do not offer everything: a run accuses none of them, and says what they do not offer. */
import type { WireRequest, WireResponse } from "../../wire/exchange.ts";
import { parseJsonBytes } from "../../wire/json.ts";
import { type Fault, inReply } from "./fault.ts";
import { picture, picturePath } from "./images.ts";
import { key } from "./server.ts";

export interface Legal extends Pick<Fault, "name" | "refuses" | "answers" | "spoils" | "waits"> {
  /** The interfaces that are asked. */
  readonly interfaces: readonly string[];
  /** The end of the last line behind `conforms as far as offered; `; absent where all is offered. */
  readonly lacks?: string;
}

const chat = ["chat-completions"];
const three = ["chat-completions", "messages", "generate-content"];

// biome-ignore lint/suspicious/noExplicitAny: these reach deep into bodies whose shape the interface fixes.
type Loose = any;

const bodyOf = ({ body }: WireRequest): Loose => {
  const json = parseJsonBytes(body);
  return json.ok ? json.value : {};
};

const hasKey = ({ headers }: WireRequest): boolean => headers.some(([, value]) => value === key);

const interfaceOf = ({ target }: WireRequest): string =>
  target.startsWith("/v1/messages")
    ? "messages"
    : target.startsWith("/v1/images/")
      ? "images"
      : target.startsWith("/v1beta/")
        ? "generate-content"
        : target.startsWith("/v1/chat/")
          ? "chat-completions"
          : "";

const isStreamed = (request: WireRequest): boolean =>
  request.target.includes(":streamGenerateContent") || bodyOf(request).stream === true;

const holdsPart = (type: string) => (body: Loose) => JSON.stringify(body).includes(`"type":"${type}"`);
const tools = (body: Loose): boolean =>
  [body.tools, body.functions].some((one) => one !== undefined) ||
  ["tool_calls", "tool_result", '"role":"tool"', "function_call", "functionCall"].some((word) =>
    JSON.stringify(body.messages ?? body.contents ?? []).includes(word),
  );

/** All but one interface is answered like an unknown route. */
const onlyChat =
  (unknown: (request: WireRequest) => WireResponse): NonNullable<Fault["answers"]> =>
  (request) =>
    interfaceOf(request) === "chat-completions" ? undefined : unknown(request);

const bare = (status: number, body: unknown): WireResponse => ({
  status,
  headers: [["content-type", "application/json"]],
  body: Buffer.from(JSON.stringify(body)),
});

export const legal: readonly Legal[] = [
  {
    name: "no-tools-said",
    interfaces: chat,
    lacks: "not offered: tools, functions",
    refuses: (body) => tools(body) && "tools are not supported by this model",
  },
  {
    name: "no-tools-unsaid",
    interfaces: ["messages"],
    lacks: "not offered: tools",
    refuses: (body) => tools(body) && "the request holds something odd",
  },
  {
    name: "no-n",
    interfaces: chat,
    lacks: "not offered: several choices",
    refuses: (body) => body.n > 1 && "n must be 1",
  },
  {
    name: "no-logprobs",
    interfaces: chat,
    lacks: "not offered: log probabilities",
    refuses: (body) => (body.logprobs || body.top_logprobs !== undefined) && "logprobs is not supported",
  },
  {
    name: "no-pictures",
    interfaces: chat,
    lacks: "not offered: vision",
    refuses: (body) => holdsPart("image_url")(body) && "this model takes no pictures",
  },
  {
    name: "no-streaming",
    interfaces: chat,
    lacks: "not offered: streaming",
    refuses: (body) => body.stream === true && "streaming is not offered here",
  },
  {
    name: "only-chat-404",
    interfaces: three,
    lacks: "not offered: generate-content, messages",
    answers: onlyChat(() => bare(404, { error: "not found" })),
  },
  {
    name: "only-chat-400",
    interfaces: three,
    lacks: "not offered: generate-content, messages",
    answers: onlyChat(({ method, target }) => bare(400, { error: `unknown route ${method} ${target.split("?")[0]}` })),
  },
  {
    name: "only-chat-401",
    interfaces: three,
    lacks: "not offered: generate-content, messages",
    answers: onlyChat(({ headers }) =>
      headers.some(([, value]) => value === `Bearer ${key}`)
        ? bare(404, { error: "not found" })
        : bare(401, { error: { message: "missing API key" } }),
    ),
  },
  {
    name: "only-chat-415",
    interfaces: three,
    lacks: "not offered: generate-content, messages",
    answers: onlyChat(() => bare(415, { error: "Unsupported Media Type" })),
  },
  {
    name: "no-streamed-tools",
    interfaces: three,
    lacks:
      "not offered: chat-completions: tools in streams, functions in streams; generate-content: tools in streams, code execution in streams; messages: tools in streams",
    answers: (request, refuse) =>
      isStreamed(request) && tools(bodyOf(request))
        ? refuse(interfaceOf(request), 400, "Tools are not supported in streams.")
        : undefined,
  },
  {
    name: "only-auto-choice",
    interfaces: chat,
    lacks: "not offered: tool choice",
    refuses: (body) => body.tool_choice !== undefined && body.tool_choice !== "auto" && "tool_choice has to be auto",
  },
  {
    name: "no-variations",
    interfaces: ["images"],
    lacks: "not offered: variations",
    answers: (request, refuse) =>
      request.target.startsWith("/v1/images/variations") ? refuse("images", 501, "Not implemented.") : undefined,
  },
  {
    name: "no-edits",
    interfaces: ["images"],
    lacks: "not offered: edits",
    answers: (request, refuse) =>
      request.target.startsWith("/v1/images/edits") ? refuse("images", 404, "Not found.") : undefined,
  },
  {
    name: "only-generations-locked",
    interfaces: ["chat-completions", "images"],
    lacks: "not offered: images: edits, variations",
    answers: (request, refuse) =>
      /\/(?:edits|variations)$/.test(request.target) ? refuse("images", 401, "Not allowed.") : undefined,
  },
  {
    name: "only-edits",
    interfaces: ["images"],
    lacks: "not offered: generations, variations",
    answers: (request, refuse) =>
      /\/(?:generations|variations)$/.test(request.target) ? refuse("images", 404, "Not found.") : undefined,
  },
  {
    name: "only-chat-page",
    interfaces: three,
    lacks: "not offered: generate-content, messages",
    answers: onlyChat(() => ({
      status: 200,
      headers: [["content-type", "text/html"]],
      body: Buffer.from("<!doctype html><title>Welcome</title>"),
    })),
  },
  {
    name: "only-chat-ok",
    interfaces: three,
    lacks: "not offered: generate-content, messages",
    answers: onlyChat(() => bare(200, { ok: true })),
  },
  {
    name: "only-chat-500",
    interfaces: three,
    lacks: "not offered: generate-content, messages",
    answers: onlyChat(() => bare(500, { error: "internal" })),
  },
  {
    name: "base64-images",
    interfaces: ["images"],
    lacks: "not offered: url",
    spoils: inReply(({ data }) => {
      for (const image of data)
        if (image.url) {
          image.b64_json = Buffer.from(picture(picturePath.exec(new URL(image.url).pathname)![1]!)).toString("base64");
          delete image.url;
        }
    }),
  },
  {
    name: "no-edges",
    interfaces: ["messages"],
    refuses: ({ temperature, top_p: topP, max_tokens: maxTokens, thinking }) =>
      ([0, 1].includes(temperature) && "temperature has to lie between 0 and 1") ||
      ([0, 1].includes(topP) && "top_p has to lie between 0 and 1") ||
      (maxTokens === 1 && "max_tokens has to be greater than 1") ||
      (thinking?.budget_tokens === 1024 && "budget_tokens has to be greater than 1024"),
  },
  {
    name: "fixed-prompts",
    interfaces: ["chat-completions", "messages"],
    lacks: "every request refused: messages",
    answers: (request, refuse) =>
      interfaceOf(request) === "messages" && hasKey(request) && Array.isArray(bodyOf(request).messages)
        ? refuse("messages", 400, "There is no answer to this prompt.")
        : undefined,
  },
];
