/** Answers requests as a case has it: the same answers to the same requests, so that what was said can be known again later. */
import { createHash } from "node:crypto";
import type { Catalogue } from "../check/catalogue.ts";
import { namesFrom } from "../check/names.ts";
import { routeOf } from "../check/route.ts";
import { createReference, sdkHeaders } from "../reference/reference.ts";
import type { WireRequest } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";
import { isObject, parseJson } from "../wire/json.ts";
import type { Reply } from "../wire/listen.ts";
import { parseForm } from "../wire/multipart.ts";
import { pathOf } from "../wire/target.ts";
import type { Answer } from "./answer.ts";
import { besides } from "./besides.ts";
import type { Case } from "./case.ts";
import { voice as chatVoice } from "./chat-completions/voice.ts";
import { voice as generateVoice } from "./generate-content/voice.ts";
import { type Good, goodAnswer } from "./good.ts";
import { voice as imagesVoice } from "./images/voice.ts";
import type { InterfaceName } from "./interface-names.ts";
import { voice as messagesVoice } from "./messages/voice.ts";
import type { Said } from "./speech.ts";
import type { Json, Voice } from "./voice.ts";
import { canaries, piecesOf } from "./words.ts";

export const voices: Readonly<Record<InterfaceName, Voice>> = {
  "chat-completions": chatVoice,
  messages: messagesVoice,
  "generate-content": generateVoice,
  images: imagesVoice,
};

/** The place and time of a request. */
export interface Arrival {
  readonly origin: string;
  readonly other: string;
  /** Whether it came to the second origin. */
  readonly isOther: boolean;
  /** Unix milliseconds. */
  readonly now: number;
}

/** The answer to one request, and what is known of it. */
export interface PlannedAnswer {
  readonly answer: Answer;
  /** The interface that the request is of; undefined for what stands beside it, such as a list of models. */
  readonly interface: InterfaceName | undefined;
  /** Whether the case answers it; otherwise the good answer does, or the request is beside the matter. */
  readonly applies: boolean;
  /** Why the case does not answer it, where the request is of its interface. */
  readonly whyNot?: string;
  /** How often the same request came before. */
  readonly attempt: number;
  /** Calls of earlier answers that the request repeats, as the client read them. */
  readonly repeats: Said["calls"];
}

/** The JSON of a request, or the texts of its form as members. */
function jsonOf({ headers, body }: WireRequest): Json {
  const type = headerValue(headers, "content-type");
  if (type?.startsWith("multipart/")) {
    const form = parseForm(body, type);
    const parts = form.ok ? form.parts : [];
    return Object.fromEntries(parts.flatMap(({ name, text }) => (text === undefined ? [] : [[name, text]])));
  }
  const json = parseJson(Buffer.from(body).toString("utf8"));
  return json.ok && isObject(json.value) ? json.value : {};
}

const digestOf = ({ method, target, body }: WireRequest): string =>
  createHash("sha256")
    .update(`${method} ${pathOf(target)}\n`)
    .update(body)
    .digest("base64");

const silent: Said = { text: "", calls: [] };

export const answerOf = ({ status, headers, pieces }: Reply, said = silent): Answer => ({
  status,
  headers,
  pieces,
  framing: "length",
  said,
  isComplete: status < 300,
});

/** Makes what answers one case; it remembers what was asked. @param seed makes the words of the answers */
export type Answerer = (request: WireRequest, arrival: Arrival) => PlannedAnswer;

/** Opens answerers over one reference. */
export function createAnswers(catalogue: Catalogue) {
  let base = "";
  const names = namesFrom(sdkHeaders);
  const reference = createReference(catalogue, () => base, names);

  function goodOf(voice: Voice, request: WireRequest, words: readonly string[], at: Arrival, attempt: number): Good {
    base = at.isOther ? at.other : at.origin;
    const json = jsonOf(request);
    const text = words.join(" ");
    const reply = reference(voice.ask(request, json, text));
    // The form in which it asks for no stream, where it asks for one.
    const wholeReply = (): unknown => {
      const path = request.target.replace(":streamGenerateContent", ":generateContent");
      const { pieces } = reference(voice.ask({ ...request, target: path }, { ...json, stream: false }, text));
      return JSON.parse(Buffer.concat(pieces.map(({ bytes }) => bytes)).toString("utf8"));
    };
    const speech = { parts: [{ kind: "text", pieces: piecesOf(words) }], end: "stop" } as const;
    const circumstances = { words, attempt, origin: at.origin, other: at.other, now: at.now };
    return goodAnswer(voice, request, json, reply, speech, circumstances, wholeReply);
  }

  /** Why a good answer's request does not show a case; undefined where it does. */
  function whyNot(one: Case, good: Good): string | undefined {
    if (!one.interfaces.includes(good.interface)) return `the case is none of ${good.interface}`;
    if (one.form === "stream" && good.form === "whole") return "it asks for no stream";
    if (one.form === "whole" && good.form === "stream") return "it asks for a stream";
    if (one.needs === "tools") return good.tools.length > 0 ? undefined : "it offers no tools";
    return one.needs?.(good);
  }

  return (one: Case, seed: string): Answerer => {
    const attempts = new Map<string, number>();
    let count = 0;
    return (request, at) => {
      const route = routeOf(catalogue.interfaces, request.method, request.target);
      const voice = route && voices[route.interface.name as InterfaceName];
      const isPost = request.method === "POST";
      if (!voice || !isPost) {
        const reply = besides(request) ?? reference(request);
        return { answer: answerOf(reply), interface: undefined, applies: false, attempt: 0, repeats: [] };
      }
      const digest = digestOf(request);
      const attempt = attempts.get(digest) ?? 0;
      attempts.set(digest, attempt + 1);
      const words = canaries(`${seed} ${count++}`);
      const good = goodOf(voice, request, words, at, attempt);
      const known = { interface: voice.interface, attempt, repeats: voice.callsIn(good.requestJson) };
      // Whoever followed a redirect gets a good answer.
      if (at.isOther)
        return { answer: good.answer(), applies: false, whyNot: "it came to the second origin", ...known };
      const why = whyNot(one, good);
      if (why !== undefined) return { answer: good.answer(), applies: false, whyNot: why, ...known };
      return { answer: one.answer(good), applies: true, ...known };
    };
  };
}
