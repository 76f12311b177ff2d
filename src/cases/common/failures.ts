/** Cases of failures that the server reports, in every interface. */
import type { HeaderPairs } from "../../wire/exchange.ts";
import type { Answer } from "../answer.ts";
import type { Case } from "../case.ts";
import { type Good, piece, writeEvent } from "../good.ts";
import { everyInterface, streaming } from "../interface-names.ts";
import { withHeaders } from "./transfer.ts";

const status = "RFC 9110 section 15";

type FailureCase = Pick<Case, "id" | "says" | "answer"> & Partial<Case>;

const fault = (own: FailureCase): Case => ({
  interfaces: everyInterface,
  kind: "fault",
  restsOn: [status],
  due: "error",
  // A client has to understand the class of every status.
  fails: ["silent"],
  ...own,
  id: `failure/${own.id}`,
});

const nothing = { text: "", calls: [] };

/** An answer of a status with a body of some type. */
export const plainAnswer = (
  code: number,
  type: string | undefined,
  body: string,
  headers: HeaderPairs = [],
): Answer => ({
  status: code,
  headers: [...(type === undefined ? [] : [["Content-Type", type] as const]), ...headers],
  pieces: body === "" ? [] : [piece(body)],
  framing: "length",
  said: nothing,
  isComplete: false,
});

const page = (title: string): string =>
  `<!doctype html>\n<html><head><title>${title}</title></head>\n<body><center><h1>${title}</h1></center></body></html>\n`;

/** Fails the first times, and then answers. */
const untilAttempt =
  (times: number, failing: (good: Good) => Answer) =>
  (good: Good): Answer =>
    good.attempt < times ? failing(good) : good.answer();

const refusals: readonly (readonly [status: number, words: string, section: string, forbids: boolean])[] = [
  [400, "the request is not valid", "15.5.1", false],
  [401, "the key is not valid", "15.5.2", false],
  [402, "the account has no credit left", "15.5.3", false],
  [403, "the key does not permit this", "15.5.4", true],
  [404, "there is no such model", "15.5.5", false],
  [405, "the method is not allowed", "15.5.6", false],
  [413, "the request is too large", "15.5.14", false],
  [422, "the request cannot be processed", "15.5.21", false],
];

const isLater = [
  [408, "the server waited too long for the request", "RFC 9110 section 15.5.9"],
  [409, "the request conflicts with another one", "RFC 9110 section 15.5.10"],
  [500, "the server failed", "RFC 9110 section 15.6.1"],
  [502, "a gateway got no good answer", "RFC 9110 section 15.6.3"],
  [503, "the server is overloaded", "RFC 9110 section 15.6.4"],
  [504, "a gateway waited too long", "RFC 9110 section 15.6.5"],
  [529, "the server is overloaded", "https://github.com/router-for-me/CLIProxyAPI/pull/4980"],
] as const;

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1);

export const statuses: readonly Case[] = [
  ...refusals.map(([code, words, section, forbids]) =>
    fault({
      id: `${code}`,
      says: `The server always answers ${code}: ${words}.`,
      restsOn: [`RFC 9110 section ${section}`],
      again: { never: true },
      fails: forbids ? ["silent", "asks-wrongly"] : ["silent"],
      answer: (good) => good.failure(code, `${capital(words)}.`),
    }),
  ),
  ...isLater.map(([code, words, rests]) =>
    fault({
      id: `${code}`,
      says: `The server always answers ${code}: ${words}.`,
      restsOn: [rests],
      answer: (good) => good.failure(code, `${capital(words)}.`),
    }),
  ),
  fault({
    id: "429",
    says: "The server always answers 429 and does not say how long to wait.",
    restsOn: ["RFC 6585 section 4"],
    answer: (good) => good.failure(429, "Too many requests."),
  }),
  fault({
    id: "429-once",
    says: "The server answers 429 once, and then normally.",
    restsOn: ["RFC 6585 section 4"],
    answer: untilAttempt(1, (good) => good.failure(429, "Too many requests.")),
  }),
  fault({
    id: "503-once",
    says: "The server answers 503 once, and then normally.",
    restsOn: ["RFC 9110 section 15.6.4"],
    answer: untilAttempt(1, (good) => good.failure(503, "Overloaded.")),
  }),
  fault({
    id: "500-once",
    says: "The server answers 500 once, and then normally.",
    restsOn: ["RFC 9110 section 15.6.1"],
    answer: untilAttempt(1, (good) => good.failure(500, "The server failed.")),
  }),
  fault({
    id: "429-retry-after-seconds",
    says: "The server answers 429 once, with a wait of two seconds in Retry-After.",
    restsOn: ["RFC 9110 section 10.2.3", "RFC 6585 section 4"],
    again: { after: 2000 },
    answer: untilAttempt(1, (good) => withHeaders(good.failure(429, "Too many requests."), [["Retry-After", "2"]])),
  }),
  fault({
    id: "429-retry-after-date",
    says: "The server answers 429 once, with a date in Retry-After about three seconds ahead.",
    restsOn: ["RFC 9110 section 10.2.3", "RFC 6585 section 4"],
    // A date has no fractions of a second.
    again: { after: 2000 },
    answer: untilAttempt(1, (good) =>
      withHeaders(good.failure(429, "Too many requests."), [
        ["Retry-After", new Date(good.now + 3000).toUTCString()],
        ["Date", new Date(good.now).toUTCString()],
      ]),
    ),
  }),
  fault({
    id: "503-retry-after",
    says: "The server answers 503 once, with a wait of one second in Retry-After.",
    restsOn: ["RFC 9110 section 10.2.3"],
    again: { after: 1000 },
    answer: untilAttempt(1, (good) => withHeaders(good.failure(503, "Overloaded."), [["Retry-After", "1"]])),
  }),
  fault({
    id: "429-retry-after-hour",
    says: "The server always answers 429, with a wait of an hour in Retry-After.",
    restsOn: ["RFC 9110 section 10.2.3"],
    again: { after: 3_600_000 },
    answer: (good) => withHeaders(good.failure(429, "Too many requests."), [["Retry-After", "3600"]]),
  }),
  fault({
    id: "429-retry-after-words",
    says: "The server answers 429 once, with words instead of a time in Retry-After.",
    restsOn: ["RFC 9110 section 10.2.3"],
    answer: untilAttempt(1, (good) => withHeaders(good.failure(429, "Too many requests."), [["Retry-After", "soon"]])),
  }),
];

export const bodies: readonly Case[] = [
  fault({
    id: "502-page",
    says: "The server always answers 502 with an HTML page.",
    restsOn: ["RFC 9110 section 15.6.3"],
    answer: () => plainAnswer(502, "text/html", page("502 Bad Gateway")),
  }),
  fault({
    id: "503-empty",
    says: "The server always answers 503 without a body.",
    restsOn: ["RFC 9110 section 15.6.4"],
    answer: () => plainAnswer(503, undefined, ""),
  }),
  fault({
    id: "400-text",
    says: "The server answers 400 with plain text.",
    again: { never: true },
    answer: () => plainAnswer(400, "text/plain", "upstream says no"),
  }),
  fault({
    id: "400-other-shape",
    says: "The server answers 400 with an error that is a string instead of an object.",
    again: { never: true },
    answer: () => plainAnswer(400, "application/json", '{"error":"no such thing"}'),
  }),
  fault({
    id: "401-page",
    says: "The server answers 401 with an HTML page.",
    again: { never: true },
    answer: () => plainAnswer(401, "text/html", page("401 Authorization Required")),
  }),
  fault({
    id: "500-list",
    says: "The server always answers 500 with a list of errors.",
    answer: (good) => ({ ...good.failure(500), pieces: [piece(JSON.stringify([good.failureBody(500)]))] }),
  }),
  fault({
    id: "400-broken-json",
    says: "The server answers 400 with truncated JSON.",
    again: { never: true },
    answer: (good) => {
      const text = JSON.stringify(good.failureBody(400));
      return { ...good.failure(400), pieces: [piece(text.slice(0, text.length / 2))] };
    },
  }),
  fault({
    id: "400-event-stream",
    says: "The server answers 400 with the error as an event.",
    form: "stream",
    interfaces: streaming,
    again: { never: true },
    answer: (good) => ({
      ...plainAnswer(400, "text/event-stream", writeEvent({ data: good.failureBody(400) })),
    }),
  }),
  fault({
    id: "page",
    says: "The server answers 200 with an HTML page.",
    restsOn: ["WHATWG HTML 9.2.2", "RFC 9110 section 8.3", "X-CT-RESPONSE"],
    answer: () => plainAnswer(200, "text/html; charset=utf-8", page("Welcome")),
  }),
  fault({
    id: "page-as-stream",
    says: "The server answers 200 with an HTML page, labelled as an event stream.",
    restsOn: ["WHATWG HTML 9.2.6"],
    form: "stream",
    interfaces: streaming,
    fails: [],
    answer: () => plainAnswer(200, "text/event-stream", page("Welcome")),
  }),
  fault({
    id: "empty-success",
    says: "The server answers 200 with an empty body.",
    restsOn: ["RFC 9110 section 15.3.1"],
    fails: [],
    answer: (good) => ({ ...good.answer(), pieces: [], framing: "length", said: nothing, isComplete: false }),
  }),
  fault({
    id: "no-content",
    says: "The server answers 204 without a body.",
    restsOn: ["RFC 9110 section 15.3.5"],
    fails: [],
    answer: () => plainAnswer(204, undefined, ""),
  }),
  fault({
    id: "login-page-redirect",
    says: "The server redirects the client to an HTML page on its own origin.",
    restsOn: ["RFC 9110 section 15.4.3", "WHATWG HTML 9.2.2"],
    fails: [],
    answer: (good) => ({ ...plainAnswer(302, undefined, ""), headers: [["Location", `${good.origin}/login`]] }),
  }),
];

const odd = (own: FailureCase): Case => fault({ kind: "odd", fails: [], ...own });

export const successes: readonly Case[] = [
  odd({
    id: "error-with-success",
    says: "The server reports an error with status 200.",
    restsOn: ["X-STATUS", "https://github.com/lemonade-sdk/lemonade/pull/2975"],
    form: "whole",
    answer: (good) => ({ ...good.failure(500), status: 200 }),
  }),
  odd({
    id: "error-json-for-stream",
    says: "The server answers a request for a stream with status 200 and an error as JSON.",
    restsOn: ["X-STATUS", "WHATWG HTML 9.2.2"],
    form: "stream",
    interfaces: streaming,
    answer: (good) => ({ ...good.failure(500), status: 200 }),
  }),
  odd({
    id: "bare-error-in-stream",
    says: "The stream is an error as JSON, without a data line.",
    restsOn: ["https://github.com/lemonade-sdk/lemonade/pull/2975"],
    form: "stream",
    interfaces: streaming,
    answer: (good) => ({
      ...good.failure(500),
      status: 200,
      headers: [["Content-Type", "text/event-stream"]],
    }),
  }),
  odd({
    id: "whole-for-stream",
    says: "The server answers a request for a stream with a whole reply.",
    restsOn: ["X-CT-RESPONSE"],
    form: "stream",
    interfaces: streaming,
    due: "either",
    answer: (good) => good.asWhole(),
  }),
  odd({
    id: "text-media-type",
    says: "The answer is labelled text/plain and is otherwise correct.",
    restsOn: ["X-CT-RESPONSE"],
    due: "either",
    answer: (good) => withHeaders(good.answer(), [["Content-Type", "text/plain"]]),
  }),
  odd({
    id: "no-media-type",
    says: "The answer has no media type and is otherwise correct.",
    restsOn: ["X-CT-RESPONSE", "RFC 9110 section 8.3"],
    due: "either",
    answer: (good) => {
      const answer = good.answer();
      return { ...answer, headers: answer.headers.filter(([name]) => !/^content-type$/i.test(name)) };
    },
  }),
  odd({
    id: "json-media-type-for-stream",
    says: "The stream is labelled application/json and is otherwise correct.",
    restsOn: ["X-CT-RESPONSE"],
    form: "stream",
    interfaces: streaming,
    due: "either",
    answer: (good) => withHeaders(good.answer(), [["Content-Type", "application/json"]]),
  }),
];
