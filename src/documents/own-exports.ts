/** Reads the exports of a `rules.mjs`: rules, laws, and other parts of an interface that need code. */
import type { Side } from "../check/clause.ts";
import type { Conversation, Example } from "../check/example.ts";
import type { Interface, OwnCode } from "../check/interface.ts";
import type { Law, LawFault } from "../check/law.ts";
import type { Operation } from "../check/operation.ts";
import { type Fault, type Rule, RuleFailure, type Undecided } from "../check/rule.ts";
import { didYouMean } from "../check/suggest.ts";
import { UserError } from "../user-error.ts";
import { editBody, editEvents, editHeader, editJson, editStatus, editTarget } from "../wire/edit.ts";
import type { Exchange } from "../wire/exchange.ts";
import { isObject } from "../wire/json.ts";
import { named } from "./own-code.ts";

// biome-ignore lint/suspicious/noExplicitAny: those who spoil a body know its shape.
type Loose = any;

/** Functions for spoils: each changes a copy of an exchange. They decode bodies first, and return exchanges without such a body unchanged. */
export interface Edit {
  /** `change` gets a copy of the JSON body that it may alter, and may return another value instead. */
  readonly json: (exchange: Exchange, side: Side, change: (body: Loose) => unknown) => Exchange;
  readonly events: typeof editEvents;
  readonly body: typeof editBody;
  readonly header: typeof editHeader;
  readonly status: typeof editStatus;
  readonly target: typeof editTarget;
}

const edit: Edit = {
  json: editJson,
  events: editEvents,
  body: editBody,
  header: editHeader,
  status: editStatus,
  target: editTarget,
};

/** A rule as a `rules.mjs` exports it. */
export interface OwnRule extends Omit<Rule, "spoil" | "within" | "operations"> {
  /** Selects the operations of the clause; all by default. Called once per operation. */
  readonly concerns?: (operation: Operation) => boolean;
  /** Changes a valid exchange so that exactly this clause fails. Otherwise, a recording has to violate the clause. */
  readonly spoil?: (exchange: Exchange, edit: Edit) => Exchange | undefined;
  readonly within?: (exchange: Exchange, edit: Edit) => ReturnType<NonNullable<Rule["within"]>>;
}

/** A law as a `rules.mjs` exports it. */
export interface OwnLaw extends Omit<Law, "spoil"> {
  readonly spoil?: (exchanges: readonly Exchange[], edit: Edit) => readonly Exchange[] | undefined;
}

/** Optional exports of a `rules.mjs`. */
export type OwnMembers = Partial<
  Omit<
    Interface,
    | "name"
    | "document"
    | "operations"
    | "operationsAt"
    | "rules"
    | "laws"
    | "key"
    | "model"
    | "cookies"
    | "extensions"
    | "code"
  >
>;

export interface OwnExports extends OwnMembers {
  readonly rules: readonly (Rule & Pick<OwnRule, "concerns">)[];
  readonly laws: readonly Law[];
  readonly examples: readonly Example[];
  readonly conversations: readonly Conversation[];
  /** Parts of operations that need code, by operation. */
  readonly operations: Readonly<Record<string, Partial<Operation>>>;
}

type Kind = "list" | "object" | "function" | "flag";

const kinds: Readonly<Record<keyof OwnExports, Kind>> = {
  rules: "list",
  laws: "list",
  examples: "list",
  conversations: "list",
  operations: "object",
  streams: "function",
  comparableReply: "function",
  replyParts: "function",
  forms: "object",
  requests: "object",
  replies: "object",
  namesRefusals: "flag",
  keyClauses: "object",
  client: "object",
  refusalBody: "function",
  answer: "function",
};

const fits: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  list: Array.isArray,
  object: isObject,
  function: (value) => typeof value === "function",
  flag: (value) => value === true,
};

const remedy = "docs/documents.md shows what a rules.mjs exports.";

/** Maximum number of violations per exchange and rule. A rule with more probably never ends. */
const maxFaults = 100_000;

/**
 * Parses the exports of a module. Throws UserError with the file and the mistake.
 * @param of name of the interface: the first part of its clause ids
 */
export function exportsOf(
  module: Readonly<Record<string, unknown>>,
  file: string,
  of: string,
  code: OwnCode,
): OwnExports {
  const refuse = (what: string, hint = ""): never => {
    throw new UserError(`${file}: ${what}`, hint + remedy);
  };
  const names = Object.keys(module).filter((name) => name !== "default" || Object.keys(module).length === 1);
  for (const name of names)
    if (!Object.hasOwn(kinds, name)) refuse(`nothing reads its export ${name}`, didYouMean(name, Object.keys(kinds)));
  if (names.length === 0) refuse("it exports nothing");
  for (const [name, kind] of Object.entries(kinds))
    if (module[name] !== undefined && !fits[kind](module[name])) refuse(`its export ${name} is no ${kind}`);
  const list = (name: string): readonly unknown[] => (module[name] ?? []) as readonly unknown[];
  const members = Object.entries(module).filter(
    ([name]) => !["rules", "laws", "examples", "conversations", "operations", "default"].includes(name),
  );
  return {
    ...(Object.fromEntries(members.map(([name, value]) => [name, named(value, name, code)])) as OwnMembers),
    rules: list("rules").map((one, i) => ruleOf(one, `rules[${i}]`, { of, code, refuse })),
    laws: list("laws").map((one, i) => lawOf(one, `laws[${i}]`, { of, code, refuse })),
    examples: list("examples").map((one, i) =>
      isExample(one) ? one : refuse(`examples[${i}] has no name and exchange`),
    ),
    conversations: list("conversations").map((one, i) =>
      isConversation(one) ? one : refuse(`conversations[${i}] has no name and list of exchanges`),
    ),
    operations: named((module["operations"] ?? {}) as OwnExports["operations"], "operations", code),
  };
}

interface Reading {
  readonly of: string;
  readonly code: OwnCode;
  readonly refuse: (what: string, hint?: string) => never;
}

/** Checks the common members of rules and laws. */
function partsOf(
  value: unknown,
  at: string,
  optional: readonly string[],
  { of, refuse }: Reading,
): Readonly<Record<string, unknown>> & { readonly clause: string } {
  if (!isObject(value)) return refuse(`${at} is no object`);
  const { clause } = value;
  if (typeof clause !== "string" || !clause.startsWith(`${of}.`))
    return refuse(`${at}.clause is no id of a clause such as ${of}.request.name-short`);
  for (const name of ["applies", "check"])
    if (typeof value[name] !== "function") refuse(`${at}.${name} is no function (${clause})`);
  for (const name of optional)
    if (value[name] !== undefined && typeof value[name] !== "function")
      refuse(`${at}.${name} is no function (${clause})`);
  for (const name of ["applies", "check", ...optional])
    if (/^Async/.test(String((value[name] as object | undefined)?.constructor?.name)))
      refuse(`${at}.${name} is asynchronous, and judging waits for nothing (${clause})`);
  const { alsoBreaks } = value;
  if (alsoBreaks !== undefined && !(Array.isArray(alsoBreaks) && alsoBreaks.every((one) => typeof one === "string")))
    refuse(`${at}.alsoBreaks is no list of ids (${clause})`);
  return value as ReturnType<typeof partsOf>;
}

function ruleOf(value: unknown, at: string, reading: Reading): OwnExports["rules"][number] {
  const parts = partsOf(value, at, ["spoil", "concerns", "within"], reading) as unknown as OwnRule;
  const { clause, concerns, spoil, within, alsoBreaks } = parts;
  const own = value as OwnRule;
  const { code } = reading;
  return {
    clause,
    applies: (subject) => Boolean(own.applies(subject)),
    check: (subject) => checked(own.check(subject), faultAmiss),
    spoil: spoil
      ? (exchange) => attempt(`the spoil of ${clause}`, code, () => changed(spoil.call(own, exchange, edit)))
      : () => undefined,
    ...(concerns && {
      concerns: (operation: Operation) =>
        attempt(`concerns() of ${clause}`, code, () => Boolean(concerns.call(own, operation))),
    }),
    ...(within && {
      within: (exchange: Exchange) =>
        attempt(`within() of ${clause}`, code, () => {
          const variants = within.call(own, exchange, edit);
          for (const one of variants)
            if (typeof one?.how !== "string" || changed(one.exchange) === undefined)
              throw new TypeError("it gives what has no how and exchange");
          return variants;
        }),
    }),
    ...(alsoBreaks && { alsoBreaks }),
  };
}

function lawOf(value: unknown, at: string, reading: Reading): Law {
  const { clause, spoil, across } = partsOf(value, at, ["spoil"], reading) as unknown as OwnLaw;
  const own = value as OwnLaw;
  return {
    clause,
    ...(across === true && { across }),
    applies: (members, fetched) => Boolean(own.applies(members, fetched)),
    check: (members, fetched) =>
      checked(own.check(members, fetched), (fault) =>
        members.includes((fault as LawFault).of)
          ? faultAmiss(fault)
          : "it yields a fault that is of none of its exchanges",
      ) ?? [],
    spoil: spoil
      ? (exchanges) =>
          attempt(`the spoil of ${clause}`, reading.code, () => {
            const broken = spoil.call(own, exchanges, edit);
            return broken === undefined ? undefined : [...broken].map((one) => changed(one)!);
          })
      : () => undefined,
  };
}

function attempt<T>(what: string, code: OwnCode, work: () => T): T {
  try {
    return code.run(work);
  } catch (error) {
    throw new RuleFailure(code.failure(what, error));
  }
}

/** Returns the result of a spoil. Throws TypeError if it is not an exchange. */
function changed(value: unknown): Exchange | undefined {
  if (value === undefined || value === null) return undefined;
  const isMessage = (one: unknown): boolean =>
    isObject(one) && one["body"] instanceof Uint8Array && Array.isArray(one["headers"]);
  const { request, response } = value as Exchange;
  const isWhole = isMessage(request) && typeof request.method === "string" && typeof request.target === "string";
  const isAnswered = response === null || (isMessage(response) && Number.isInteger(response.status));
  if (!isWhole || !isAnswered) throw new TypeError("it gives something that is no exchange");
  return value as Exchange;
}

const places = new Set(["method", "path", "query", "headers", "body", "form", "status", "stream"]);

/** Returns the mistake in a violation, or undefined. */
function faultAmiss(value: unknown): string | undefined {
  if (!isObject(value)) return "it yields what is no fault";
  const { needs, side, in: place, event, pointer, expected } = value;
  if (needs !== undefined) return typeof needs === "string" ? undefined : "it yields needs that are no text";
  if (side !== "request" && side !== "response")
    return `it yields a fault whose side is neither "request" nor "response"`;
  if (!places.has(place as string)) return "it yields a fault without the place that it is in";
  if (typeof expected !== "string") return "it yields a fault without what is expected, as a text";
  if (pointer !== undefined && !(typeof pointer === "string" && /^(?:\/|$)/.test(pointer)))
    return "it yields a fault whose pointer is no JSON Pointer";
  if (event !== undefined && !Number.isInteger(event)) return "it yields a fault whose event is no number";
  return undefined;
}

/** Yields violations after a check. Throws TypeError for a mistake in one of them, or for too many. */
function checked<T extends Fault | Undecided>(
  faults: Iterable<T> | undefined,
  amiss: (fault: unknown) => string | undefined,
): Iterable<T> | undefined {
  if (faults === undefined || faults === null) return undefined;
  if (typeof faults[Symbol.iterator] !== "function") throw new TypeError("its check gives nothing that lists faults");
  return (function* () {
    let count = 0;
    for (const fault of faults) {
      const why = amiss(fault);
      if (why !== undefined) throw new TypeError(why);
      if (++count > maxFaults) throw new TypeError(`it yields more than ${maxFaults} faults`);
      yield fault;
    }
  })();
}

const isExample = (value: unknown): value is Example =>
  isObject(value) && typeof value["name"] === "string" && isExchange(value["exchange"]);

const isConversation = (value: unknown): value is Conversation =>
  isObject(value) &&
  typeof value["name"] === "string" &&
  Array.isArray(value["exchanges"]) &&
  value["exchanges"].every(isExchange);

function isExchange(value: unknown): boolean {
  try {
    return isObject(value) && changed(value) !== undefined;
  } catch {
    return false;
  }
}
