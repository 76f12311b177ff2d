/** Judges what was seen of clients: what is held against them, and what is not. */
import { expect, test } from "vitest";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { replaceText } from "../../replace-text.test-kit.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { caseNamed } from "../all-cases.ts";
import { createAnswers } from "../answers.ts";
import { typicalRequest } from "../cases.test-kit.ts";
import type { InterfaceName } from "../interface-names.ts";
import type { CaseObservation, Handed, HandedCall, SeenExchange } from "../observation.ts";
import { wayOf } from "../run/try-case.ts";
import { judgeCase, profileOf } from "./judge-case.ts";
import type { ClientFacts } from "./outcome.ts";

const catalogue = await openCatalogue();
const answers = createAnswers(catalogue);
const at = { origin: "http://127.0.0.1:1", other: "http://localhost:1", isOther: false, now: 0 };
const seed = "seed";

/** The answers of a case to the same request, asked so often. */
function saidBy(id: string, name: InterfaceName, times = 1): { text: string; calls: readonly HandedCall[] }[] {
  const answerer = answers(caseNamed(id), seed);
  const request = requestFor(id, name);
  return Array.from({ length: times }, () => answerer(request, at).answer.said);
}

function requestFor(id: string, name: InterfaceName) {
  const { stream, tools } = wayOf(caseNamed(id), {});
  return typicalRequest(name, stream && name !== "images" ? "stream" : "whole", tools);
}

interface Seen {
  /** Milliseconds at which the same request came; once at 0 unless said. */
  readonly at?: readonly number[];
  /** Milliseconds that each answer took. */
  readonly took?: number;
  readonly entry?: Partial<SeenExchange>;
  readonly open?: boolean;
  readonly name?: InterfaceName;
  readonly facts?: ClientFacts;
}

function judged(id: string, handed: Partial<Handed>, seen: Seen = {}) {
  const { at: times = [0], took = 10, entry = {}, open = false, name = "chat-completions", facts } = seen;
  const exchanges = times.map((): Exchange => ({ origin: at.origin, request: requestFor(id, name), response: null }));
  const observation: CaseObservation = {
    ...{ case: id, interface: name, seed },
    exchanges: times.map((from, exchange) => ({
      ...{ exchange, at: from, until: from + took, connection: 0, origin: "own", hasKey: true, left: false },
      ...entry,
    })),
    connections: [{ connection: 0, opened: 0, closed: open ? null : 100, closedBy: open ? null : "client" }],
    handed: { end: "returned", after: 1000, ...(handed.output === undefined && { error: null }), ...handed },
  };
  const { outcome, level, why } = judgeCase(answers, caseNamed(id), observation, exchanges, facts);
  return [outcome, level, why];
}

const text = (id: string, name: InterfaceName = "chat-completions"): string => saidBy(id, name)[0]!.text;
const threw = (name: string, message: string, status?: number): Partial<Handed> => ({
  error: { name, message, ...(status !== undefined && { status }) },
  end: "threw",
});
/** A program that printed something: only its exit code and its words can tell of an error. */
const program = (output: string, exitCode = 0, errors = ""): Partial<Handed> => ({
  ...{ output, errors, exitCode, end: "exited" },
});

const words = text("stream/crlf").split(" ");

test.each<[string, Partial<Handed>, string, string | null]>([
  ["the whole text works", { text: words.join(" ") }, "works", null],
  ["spaces around it do not count", { text: `\n${words.join(" ")} ` }, "works", null],
  ["nothing of it is lost", { text: "" }, "loses", "error"],
  ["a part of it is lost", { text: words.slice(0, 4).join(" ") }, "loses", "error"],
  ["a word in the middle is lost", { text: words.toSpliced(4, 1).join(" ") }, "loses", "error"],
  ["another order is garbled", { text: words.toReversed().join(" ") }, "garbles", "error"],
  ["twice is garbled", { text: `${words.join(" ")}${words.join(" ")}` }, "garbles", "error"],
  ["each word twice is garbled", { text: words.flatMap((word) => [word, word]).join(" ") }, "garbles", "error"],
  [
    "a broken character is garbled",
    { text: replaceText(words.join(" "), words[5]!, "\ufffd\ufffd") },
    "garbles",
    "error",
  ],
  ["an error refuses a legal answer", threw("TypeError", "x is not a function"), "crashes", "error"],
  ["an error nobody can catch", { end: "unhandled", error: { name: "Error", message: "m" } }, "crashes", "error"],
  ["no end within its time", { end: "killed", error: undefined as never }, "hangs", "error"],
  ["a program that prints it", program(`> ${words.join(" ")}\n`), "works", null],
  [
    "colours, line ends and marks do not count",
    program(`\u001b[32mAI:\u001b[0m ${words.join("\n")} (12 ms)`),
    "works",
    null,
  ],
  [
    "JSON of each piece does not count",
    program(words.map((word) => JSON.stringify({ t: word })).join("\n")),
    "works",
    null,
  ],
  [
    "escapes of JSON do not count",
    program(
      replaceText(
        JSON.stringify(words.join(" ")),
        /[^ -~]/g,
        (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
      ),
    ),
    "works",
    null,
  ],
  ["words about errors beside a whole answer", program(words.join(" "), 0, "Error: no history"), "works", null],
  ["a program that fails on it", program("", 1, "Traceback\nKeyError: 'x'"), "crashes", "error"],
  ["a program whose process broke", { ...program("", 139), signal: "SIGSEGV" }, "crashes", "error"],
])("a legal answer: %s", (_what, handed, outcome, level) => {
  expect(judged("stream/crlf", handed).slice(0, 2)).toEqual([outcome, level]);
});

test("a client that asks a hundred times asks wrongly, whatever is due", () => {
  const times = Array.from({ length: 100 }, (_one, i) => 100 * i);
  const endless = { end: "killed", after: 10_200, error: undefined as never } as const;
  const why = "it asked 100 times in 10 s and did not give up";
  expect(judged("stream/crlf", endless, { at: times })).toEqual(["asks-wrongly", "error", why]);
  expect(judged("failure/400", endless, { at: times })[2]).toBe(why);
  expect(judged("stream/crlf", endless, { at: times.slice(1) })[0]).toBe("hangs");
});

test("what lies behind the part of an output that is read is no loss", () => {
  expect(judged("stream/crlf", { ...program(words.slice(0, 3).join(" ")), isCut: true })[0]).toBe("not-shown");
  expect(judged("stream/crlf", { ...program(words.join(" ")), isCut: true })[0]).toBe("works");
});

test("what is legal by a neutral document alone warns", () => {
  expect(judged("stream/cr", { text: "" }).slice(0, 2)).toEqual(["loses", "warning"]);
});

test("what is outside the documents warns", () => {
  expect(judged("chat-completions/choices-missing", threw("TypeError", "m")).slice(0, 2)).toEqual([
    "crashes",
    "warning",
  ]);
});

test.each<[string, string, Partial<Handed>, string, string | null]>([
  ["an error is due, and raised", "failure/400", threw("BadRequestError", "400", 400), "error", null],
  ["a program tells it by its exit code", "failure/400", program("", 1, "HTTP 400"), "error", null],
  ["a program tells it by words", "failure/400", program("Error: the request is not valid"), "error", null],
  ["a failure taken for success", "failure/400", { text: "" }, "silent", "error"],
  [
    "a mistake in place of an error",
    "failure/400",
    threw("TypeError", "Cannot read properties of undefined (reading 'x')"),
    "crashes",
    "warning",
  ],
  ["a cut taken for an end", "cut/reset-in-body", { text: words[0]! }, "silent", "error"],
  ["an end that only the interface knows to be none", "cut/end-in-text", { text: words[0]! }, "silent", "warning"],
  ["a part printed, and then an error", "cut/reset-in-body", program(words[0]!, 1, "Error: aborted"), "error", null],
  ["a page taken for an answer", "failure/page", { text: "" }, "silent", "error"],
  ["an error event passed over", "cut/error-event", { text: words[0]! }, "silent", "warning"],
])("a fault: %s", (_what, id, handed, outcome, level) => {
  expect(judged(id, handed).slice(0, 2)).toEqual([outcome, level]);
});

test("a retry that gets the whole answer works, whatever came before", () => {
  const [first, second] = saidBy("cut/reset-in-body-once", "chat-completions", 2).map((said) => said.text);
  expect(judged("cut/reset-in-body-once", { text: second! }, { at: [0, 500] })[0]).toBe("works");
  const both = program(`${first!.slice(0, 20)}\nretrying\n${second}`);
  expect(judged("cut/reset-in-body-once", both, { at: [0, 500] })[0]).toBe("works");
  const mixed = { text: `${first!.slice(0, 20)}${second}` };
  expect(judged("cut/reset-in-body-once", mixed, { at: [0, 500] })[0]).toBe("garbles");
});

test.each<[string, string, readonly number[], string, string | null]>([
  ["400 once", "failure/400", [0], "error", null],
  ["400 again", "failure/400", [0, 500], "asks-wrongly", "warning"],
  ["403 again, which a standard forbids", "failure/403", [0, 500], "asks-wrongly", "error"],
  ["500 three times", "failure/500", [0, 500, 1500], "error", null],
  ["500 without bound", "failure/500", Array.from({ length: 30 }, (_, i) => i * 10), "asks-wrongly", "warning"],
])("asking again: %s", (_what, id, times, outcome, level) => {
  expect(judged(id, threw("APIError", "m"), { at: times }).slice(0, 2)).toEqual([outcome, level]);
});

test("a client waits as it is told to, or asks wrongly", () => {
  const [, second] = saidBy("failure/429-retry-after-seconds", "messages", 2);
  const waited = (at: readonly number[]) =>
    judged("failure/429-retry-after-seconds", { text: second!.text }, { at, name: "messages" });
  expect(waited([0, 2010])[0]).toBe("works");
  expect(waited([0, 500])).toEqual([
    "asks-wrongly",
    "warning",
    "it asked again after 0.5 s, although it was told to wait 2.0 s",
  ]);
});

test("a client that is still waiting as told is no client that hangs", () => {
  const killed: Partial<Handed> = { end: "killed", error: undefined as never, after: 30_000 };
  expect(judged("failure/429-retry-after-hour", killed)[0]).toBe("not-shown");
  expect(judged("failure/429", { ...killed }, { at: [0, 1000, 3000, 7000, 15_000] })[0]).toBe("not-shown");
  expect(judged("failure/400", killed)[0]).toBe("hangs");
});

test("a client that is still being answered is no client that hangs", () => {
  const killed: Partial<Handed> = { end: "killed", after: 20_000 };
  expect(judged("stream/cut-at-every-byte", killed, { took: 20_000, entry: { left: true } })).toEqual([
    "not-shown",
    "note",
    "the answer was still on its way after 20 s",
  ]);
  expect(judged("stream/cut-at-every-byte", killed, { took: 500 })[0]).toBe("hangs");
  expect(judged("endless/open-after-end", killed, { took: 20_000, entry: { left: true } })[0]).toBe("hangs");
  expect(judged("stream/megabyte-event", killed, { took: 20_000, entry: { left: true } })[0]).toBe("hangs");
});

test("a client that is killed while it asks again is not blamed for asking", () => {
  const killed: Partial<Handed> = { end: "killed", after: 20_000 };
  expect(judged("transfer/continue", killed, { at: [0, 6000, 12_000], took: 500 })[0]).toBe("hangs");
  const again = saidBy("transfer/continue", "chat-completions", 2)[1]!;
  expect(judged("transfer/continue", again, { at: [0, 6000], took: 500 })[0]).toBe("asks-wrongly");
  const often = Array.from({ length: 15 }, (_, i) => i * 1000);
  expect(judged("redirect/loop", killed, { at: often })[0]).toBe("not-shown");
  expect(judged("failure/500", killed, { at: often })[0]).toBe("asks-wrongly");
});

test("silence shows nothing of a client whose limit is not known", () => {
  const killed: Partial<Handed> = { end: "killed", error: undefined as never, after: 30_000 };
  expect(judged("endless/silence-before-head", killed)[0]).toBe("not-shown");
  expect(judged("endless/silence-before-head", killed, { facts: { limit: 60_000 } })[0]).toBe("not-shown");
  expect(judged("endless/silence-before-head", killed, { facts: { limit: 5_000 } })[0]).toBe("hangs");
});

test("a client that asks again waits anew, up to its limit", () => {
  const killed: Partial<Handed> = { end: "killed", after: 20_000 };
  const facts = { limit: 5_000 };
  expect(judged("endless/silence-before-head", killed, { facts, at: [0, 5_000, 11_000] })[0]).toBe("not-shown");
  expect(judged("endless/silence-before-head", killed, { facts, at: [0, 5_000] })).toEqual([
    "hangs",
    "warning",
    "it had waited 15 s, and its limit is 5.0 s",
  ]);
  expect(judged("endless/silence-before-head", threw("TimeoutError", "m"))[0]).toBe("error");
  expect(judged("endless/silence-before-head", threw("TimeoutError", "m"), { open: true })[0]).toBe("hangs");
});

test("a key at another origin leaks, whatever else went well", () => {
  const entry = { origin: "other" as const };
  expect(judged("redirect/307-other-origin", { text: "" }, { entry }).slice(0, 2)).toEqual(["leaks", "error"]);
  const without = { entry: { ...entry, hasKey: false } };
  expect(judged("redirect/307-other-origin", threw("E", "m"), without)[0]).not.toBe("leaks");
  expect(judged("redirect/307-other-origin", threw("E", "m"))[0]).toBe("error");
});

test("calls come out whole, in order, once", () => {
  const id = "chat-completions/parallel-calls";
  const [said] = saidBy(id, "chat-completions");
  const [first, second] = said!.calls as readonly [HandedCall, HandedCall];
  const spaced = { ...first, arguments: JSON.stringify(JSON.parse(first.arguments), undefined, 2) };
  expect(judged(id, { text: "", calls: [spaced, second] })[0]).toBe("works");
  expect(judged(id, { text: "", calls: [first] }).slice(0, 2)).toEqual(["loses", "error"]);
  expect(judged(id, { text: "", calls: [second, first] })[0]).toBe("garbles");
  expect(judged(id, { text: "", calls: [first, first, second] })[0]).toBe("garbles");
  expect(judged(id, { text: "", calls: [{ ...first, arguments: first.arguments.slice(0, 9) }, second] })[0]).toBe(
    "loses",
  );
  expect(
    judged(id, { text: "", calls: [{ ...first, arguments: first.arguments + second.arguments }, second] })[0],
  ).toBe("garbles");
  expect(judged(id, program("done"))).toEqual(["not-shown", "note", "the client shows no calls"]);
  expect(judged(id, program(`${first.name} ${first.arguments} ${second.name} ${second.arguments}`))[0]).toBe("works");
});

test("cut arguments that are handed on as a call are taken for a whole answer", () => {
  const id = "cut/reset-in-arguments";
  const [said] = saidBy(id, "chat-completions");
  const part = { ...said!.calls[0]!, arguments: said!.calls[0]!.arguments.slice(0, 9) };
  expect(judged(id, { text: "", calls: [part] })).toEqual([
    "silent",
    "error",
    "it raised no error and handed on 1 call of an answer that was cut",
  ]);
  expect(judged(id, threw("Error", "aborted"))[0]).toBe("error");
});

test("a client may say by other means than an error that an answer is not whole", () => {
  const part = text("cut/end-in-text").slice(0, 20);
  expect(judged("cut/end-in-text", { text: part, finish: "interrupted" })).toEqual([
    "error",
    null,
    "it says that the answer ended as interrupted",
  ]);
  expect(judged("cut/end-in-text", { text: part, finish: "other" })[0]).toBe("silent");
  const call: HandedCall = { name: "get_weather", arguments: '{"city":"' };
  expect(judged("cut/end-in-arguments", { text: "", calls: [{ ...call, isBroken: true }] })[0]).toBe("error");
  expect(judged("cut/end-in-arguments", { text: "", calls: [call, { ...call, isBroken: true }] })[0]).toBe("silent");
});

test("a case that a request does not show is not shown, with the reason", () => {
  const request = typicalRequest("chat-completions", "whole", false);
  const exchanges: Exchange[] = [{ request, response: null }];
  const entry: SeenExchange = { exchange: 0, at: 0, until: 9, connection: 0, origin: "own", hasKey: true, left: false };
  const seen: CaseObservation = {
    ...{ case: "stream/crlf", interface: "chat-completions", seed, exchanges: [entry], connections: [] },
    handed: { text: "", error: null, end: "returned", after: 10 },
  };
  const result = judgeCase(answers, caseNamed("stream/crlf"), seen, exchanges);
  expect([result.outcome, result.level, result.why]).toEqual(["not-shown", "note", "it asks for no stream"]);
});

test("a program that prints its answer twice by habit is not held to print it once", () => {
  const plain = caseNamed("plain");
  const request = typicalRequest("chat-completions", "stream", false);
  const said = answers(plain, seed)(request, at).answer.said.text;
  const entry: SeenExchange = { exchange: 0, at: 0, until: 9, connection: 0, origin: "own", hasKey: true, left: false };
  const handed: Handed = { output: `${said}\n--\n${said}`, end: "exited", exitCode: 0, after: 9 };
  const seen: CaseObservation = {
    ...{ case: "plain", interface: "chat-completions", seed, exchanges: [entry], connections: [], handed },
  };
  const facts = profileOf(answers, plain, seen, [{ request, response: null }]);
  const twice = program(`${words.join(" ")}\n--\n${words.join(" ")}`);
  expect(judged("stream/crlf", twice, { facts })[0]).toBe("works");
  expect(judged("stream/crlf", twice)[0]).toBe("garbles");
});

test("each of several pictures counts by itself, whatever stands around it", () => {
  const id = "images/several-pictures";
  const request = { ...requestFor(id, "images") };
  const body = { ...JSON.parse(Buffer.from(request.body).toString()), n: 2 };
  const asked = { ...request, body: Buffer.from(JSON.stringify(body)) };
  const [first, second] = answers(caseNamed(id), seed)(asked, at).answer.said.text.split("\n");
  expect(first).not.toBe(second);
  const outcomeOf = (handed: Partial<Handed>): unknown => {
    const exchanges: Exchange[] = [{ origin: at.origin, request: asked, response: null }];
    const observation: CaseObservation = {
      ...{ case: id, interface: "images", seed, connections: [] },
      exchanges: [{ exchange: 0, at: 0, until: 10, connection: 0, origin: "own", hasKey: true, left: false }],
      handed: { end: "returned", after: 1000, error: null, ...handed },
    };
    return judgeCase(answers, caseNamed(id), observation, exchanges).outcome;
  };
  const url = (path: string | undefined): string => `http://127.0.0.1:4010${path}`;
  expect(outcomeOf({ text: `${url(first)} ${url(second)}` })).toBe("works");
  expect(outcomeOf({ output: JSON.stringify([{ url: url(first) }, { url: url(second) }]), exitCode: 0 })).toBe("works");
  expect(outcomeOf({ text: `${url(second)} ${url(first)}` })).toBe("garbles");
  expect(outcomeOf({ text: url(second) })).toBe("loses");
  expect(outcomeOf({ text: "" })).toBe("loses");
});

test("a program that goes on is held to what it prints, and to no ending that nobody sees", () => {
  const unseen = (output?: string, errors = ""): Partial<Handed> => ({
    ...(output !== undefined && { output, errors }),
    end: "unseen",
    error: undefined as never,
  });
  const answer = words.join(" ");
  const prints = { facts: { profile: { handed: program(answer) as Handed, times: 1, fate: "whole" as const } } };
  expect(judged("stream/lf", unseen())[0]).toBe("not-shown");
  expect(judged("stream/lf", unseen(answer), prints)[0]).toBe("works");
  expect(judged("stream/lf", unseen(words.slice(0, 5).join(" ")), prints)[0]).toBe("loses");
  // Nothing is known of a program that does not print the plain answer either.
  expect(judged("stream/lf", unseen("listening"), {})[0]).toBe("not-shown");
  expect(judged("cut/end-in-text", unseen(words.slice(0, 2).join(" ")), prints)[0]).toBe("not-shown");
  expect(judged("failure/400", unseen("", "Error: status 400"), prints)[0]).toBe("error");
  expect(judged("failure/400", unseen(""), { ...prints, at: [0, 50, 100] })[0]).toBe("not-shown");
  expect(judged("failure/400", program("", 1, "Error: status 400"), { ...prints, at: [0, 50, 100] })[0]).toBe(
    "asks-wrongly",
  );
});

test("a call that is cut may come out as it came, with its reason, or as an error, and not as another call", () => {
  const id = "cut/arguments-cut-unsaid";
  const [call] = saidBy(id, "chat-completions")[0]!.calls;
  const handed = (own: object, finish = "tool_calls") => ({ text: "", calls: [{ ...call!, ...own }], finish });
  expect(judged(id, handed({}))[0]).toBe("works");
  expect(judged(id, handed({ arguments: "{}", isBroken: true }))[0]).toBe("error");
  expect(judged(id, threw("SyntaxError", "the arguments are no JSON"))[0]).toBe("error");
  expect(judged(id, handed({ arguments: "{}" })).slice(0, 2)).toEqual(["loses", "warning"]);
  expect(judged(id, handed({ arguments: `${call!.arguments}"}` })).slice(0, 2)).toEqual(["garbles", "warning"]);
  expect(judged("cut/arguments-cut-by-length", handed({ arguments: "{}" }, "length"))[0]).toBe("error");
  expect(judged("stream/crlf", { text: words.slice(0, 3).join(" "), finish: "length" })[0]).toBe("loses");
});
