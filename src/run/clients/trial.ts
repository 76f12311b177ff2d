/** One thing that an official client is asked to do with a target, and what came of it beside what the wire held. */
import type { Bindings } from "../../check/names.ts";
import type { ClientTrial } from "../../verdict/run-results.ts";
import type { WireRequest } from "../../wire/exchange.ts";
import { parseEvents } from "../../wire/sse.ts";
import type { Target } from "../plan/target.ts";
import { retarget } from "../send/retarget.ts";
import { secretsOf } from "../send/secrets.ts";

export interface TrialOptions {
  readonly target: Target;
  /** Model ids that stand for the target's own. */
  readonly knownModels: ReadonlySet<string>;
  /** Milliseconds without a byte from the target after which a client is taken to wait for ever. */
  readonly maxIdleMs: number;
  /** The one client to try; all where absent. */
  readonly only?: string;
  /** The one scenario to try; all where absent. */
  readonly scenario?: string;
  /** Resolves when the next request may be sent; at once where absent. */
  readonly turn?: (() => Promise<void>) | undefined;
  /** Sends a request; as the platform does where absent. */
  readonly fetch?: Fetch;
}

/** The observation of a scenario: a text if something was lost or mixed, or could not be shown; undefined if all is well. */
export type Seen = { readonly drops: string } | { readonly mixes: string } | { readonly unshown: string } | undefined;

/** Answers as the wire held them, of which clients may give less. */
export interface Wire {
  /** The bodies that came, in order, and their statuses. */
  readonly bodies: readonly string[];
  readonly statuses: readonly number[];
  /** The data of the events of a stream, as far as they are JSON objects: the whole answer where it came in one piece. */
  events(position?: number): readonly Loose[];
}

/** JSON of unknown shape. */
// biome-ignore lint/suspicious/noExplicitAny: what a target sends may have any shape, and a wrong guess is a thrown error
export type Loose = any;

export type Fetch = typeof globalThis.fetch;

/** Clients believe that they send to this address; their requests go to the target. */
export const anywhere = "http://target.invalid";

/** Bytes that flow on and on end a trial, too: after so many times `maxIdleMs`. */
const maxTrial = 5;

/** The names by which official clients call headers. */
const bindings: Bindings = { names: { "partner-version": "anthropic-version", "partner-beta": "anthropic-beta" } };

/**
 * Has a client do one thing.
 * @param act uses the client, whose requests go through `fetch`, and compares what it gave with the wire
 */
export async function tryOut(
  client: string,
  scenario: string,
  of: string,
  {
    target,
    knownModels,
    maxIdleMs,
    only = client,
    scenario: onlyScenario = scenario,
    turn,
    fetch = globalThis.fetch,
  }: TrialOptions,
  act: (fetch: Fetch, wire: Wire) => Promise<Seen>,
  expected: { readonly requests: number } = { requests: 1 },
): Promise<ClientTrial | undefined> {
  if (client !== only || scenario !== onlyScenario) return undefined;
  const bodies: string[] = [];
  const statuses: number[] = [];
  const copies: Promise<void>[] = [];
  const given = new AbortController();
  let requests = 0;
  let timer: NodeJS.Timeout | undefined;
  let giveUp: (late: "late") => void;
  const late = new Promise<"late">((resolve) => void (giveUp = resolve));
  const bePatient = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => giveUp("late"), maxIdleMs);
  };
  bePatient();
  let ours = 0;
  const begun = performance.now();
  const heard = (): void => {
    if (performance.now() - begun - ours > maxTrial * maxIdleMs) giveUp("late");
    else bePatient();
  };
  const send: Fetch = async (input, init = {}) => {
    requests++;
    if (turn) {
      // Waiting for a turn is ours, and no client's.
      clearTimeout(timer);
      const asked = performance.now();
      await turn();
      ours += performance.now() - asked;
      given.signal.throwIfAborted();
      bePatient();
    }
    const { origin, request } = retarget(
      await requestOf(input, init),
      { interface: of, bindings, negative: false },
      target,
      knownModels,
    );
    const response = await fetch(`${origin}${request.target}`, {
      method: request.method,
      headers: request.headers.map(([name, value]): [string, string] => [name, value]),
      ...(request.body.length > 0 && { body: Buffer.from(request.body) }),
      signal: AbortSignal.any([given.signal, ...(init.signal ? [init.signal] : [])]),
    });
    statuses.push(response.status);
    const position = bodies.push("") - 1;
    const copy = response.clone();
    copies.push(
      readInto(copy, (text) => {
        bodies[position] += text;
        heard();
      }),
    );
    return response;
  };
  const wire: Wire = { bodies, statuses, events: (position = 0) => eventsIn(bodies[position] ?? "") };
  const told = (outcome: ClientTrial["outcome"], detail: string): ClientTrial => ({
    client,
    scenario,
    outcome,
    detail: withoutKeys(detail, target),
  });
  const acting = act(send, wire).then(
    (seen): ClientTrial => {
      if (seen && "drops" in seen) return told("drops", seen.drops);
      if (seen && "mixes" in seen) return told("mixes", seen.mixes);
      if (seen) return told("not shown", seen.unshown);
      return requests > expected.requests
        ? told("asks again", `${requests} requests where ${expected.requests} would do`)
        : told("fine", "");
    },
    (error: unknown) => {
      const isPlain = typeof error === "object" && !(error instanceof Error);
      const said =
        error instanceof Error ? `${error.name}: ${error.message}` : isPlain ? JSON.stringify(error) : `${error}`;
      const status = statuses.at(-1);
      // To report a refusal is what a client is for.
      return status !== undefined && isRefusal(status)
        ? told("refused", `the target answered ${status}: ${said}`)
        : told("throws", said);
    },
  );
  const result = await Promise.race([acting, late]);
  clearTimeout(timer);
  given.abort();
  await Promise.allSettled([acting, ...copies]);
  return result === "late" ? told("waits", `no end after ${maxIdleMs / 1000} seconds`) : result;
}

/** Statuses that say "no", "not here" or "later" to a request; any other failure is the target's own. */
const isRefusal = (status: number): boolean => (status >= 400 && status <= 499) || [501, 503, 529].includes(status);

async function requestOf(input: Parameters<Fetch>[0], init: RequestInit): Promise<WireRequest> {
  const asked = new Request(input, { ...init, signal: null, ...(init.body ? { duplex: "half" } : {}) } as RequestInit);
  const { pathname, search } = new URL(asked.url);
  const body = Buffer.from(await asked.arrayBuffer());
  return { method: asked.method, target: pathname + search, headers: [...asked.headers], body };
}

async function readInto(response: Response, add: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  try {
    for await (const piece of response.body ?? []) add(decoder.decode(piece, { stream: true }));
  } catch {
    // Its client has it as well, and tells.
  }
}

/** The events of a stream, however it is framed: without blank lines, without `data:`, or as one document or list. */
function eventsIn(text: string): readonly Loose[] {
  const objects = (all: readonly string[]): Loose[] => all.flatMap(parsed).filter(isObject);
  const events = objects(parseEvents(Buffer.from(text)).events.map(({ data }) => data));
  if (events.length > 0) return events;
  const whole = objects([text]);
  return whole.length > 0 ? whole : objects(text.split(/\r?\n|\r/).map((line) => line.replace(/^data:/, "")));
}

/** JSON as the wire held it; undefined where it is none. */
export function parsed(text: string | undefined): Loose {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

/** Objects in what ought to be a list of them: what the wire held is read without trust. */
export const objectsIn = (list: unknown): readonly Loose[] => (Array.isArray(list) ? list.filter(isObject) : []);

/** A text that a caller writes out as it is, or what else stands there. */
export const wrongText = (name: string, value: unknown): Seen =>
  typeof value === "string"
    ? undefined
    : { drops: `${name} is ${value === undefined ? "missing" : JSON.stringify(value)}` };

const maxLineLength = 300;

/** Errors of clients quote what came, and so may repeat a key. */
function withoutKeys(text: string, target: Target): string {
  let shown = text;
  for (const { value } of secretsOf(target)) shown = shown.replaceAll(value, "[redacted]");
  const line = shown.replace(/\s+/g, " ").trim();
  return line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line;
}

/** Reports a loss if a client gives less, or something else, than the wire held. */
export function compared(what: string, given: unknown, held: unknown): Seen {
  const [one, other] = [JSON.stringify(given), JSON.stringify(held)];
  return one === other ? undefined : { drops: `${what}: the client gives ${one}, the wire held ${other}` };
}

/** The same for the text of an answer, which has to be there. */
export const comparedText = (given: string, held: string): Seen =>
  given === "" && held === "" ? { unshown: "the model said nothing" } : compared("text", given, held);

/** Reports a mix if a client gives a piece that the wire did not hold: it was put together from others. */
export function comparedEach(what: string, given: readonly string[], held: readonly string[]): Seen {
  const mixed = given.find((one) => !held.includes(one));
  if (mixed === undefined) return compared(what, given, held);
  const shown = `${what}: the client gives ${JSON.stringify(given)}, the wire held ${JSON.stringify(held)}`;
  return held.length > 1 && mixed.length > Math.max(...held.map(({ length }) => length))
    ? { mixes: shown }
    : { drops: shown };
}

/**
 * Has a call forced in the first request alone: a model that is forced again behind a tool's result never comes to an end.
 * @param force `tool_choice` that forces a call
 */
export function forcedOnce(fetch: Fetch, force: string | { readonly type: string }): Fetch {
  let requests = 0;
  const member = (choice: unknown): string => `"tool_choice":${JSON.stringify(choice)}`;
  const free = member(typeof force === "string" ? "auto" : { type: "auto" });
  return (input, init) => {
    if (++requests === 1 || typeof init?.body !== "string") return fetch(input, init);
    return fetch(input, { ...init, body: init.body.replace(member(force), free) });
  };
}

/** Explains why no error came of a bad request: the target accepted it, or reported the error with a status of success. */
export function withoutError(what: string, { bodies }: Wire): Seen {
  const isError = /^\s*\{\s*"(?:error"|type"\s*:\s*"error")/.test(bodies.at(-1) ?? "");
  return isError
    ? { drops: `no error came of ${what}, though the answer tells one` }
    : { unshown: `the target accepted ${what}` };
}
