/** One thing that an official client is asked to do with a target, and what came of it beside what the wire held. */
import type { Bindings } from "../../check/names.ts";
import type { ClientTrial } from "../../verdict/run-results.ts";
import type { WireRequest } from "../../wire/exchange.ts";
import { parseEvents } from "../../wire/sse.ts";
import { retarget } from "../retarget.ts";
import { secretsOf } from "../secrets.ts";
import type { Target } from "../target.ts";

export interface TrialOptions {
  readonly target: Target;
  /** Model ids that stand for the target's own. */
  readonly knownModels: ReadonlySet<string>;
  /** Milliseconds after which a client is taken to wait for ever. */
  readonly patience: number;
  /** The one client to try; all where absent. */
  readonly only?: string;
  /** Resolves when the next request may be sent; at once where absent. */
  readonly turn?: (() => Promise<void>) | undefined;
  /** Sends a request; as the platform does where absent. */
  readonly fetch?: Fetch;
}

/** What a scenario saw: a text where something was lost, or where it could not be shown; undefined where all is well. */
export type Seen = { readonly drops: string } | { readonly unshown: string } | undefined;

/** Answers as the wire held them, of which clients may give less. */
export interface Wire {
  /** The bodies that came, in order. */
  readonly bodies: readonly string[];
  /** The data of the events of a stream, parsed as far as they are JSON. */
  events(position?: number): readonly Loose[];
}

/** JSON of unknown shape. */
// biome-ignore lint/suspicious/noExplicitAny: what a target sends may have any shape, and a wrong guess is a thrown error
export type Loose = any;

export type Fetch = typeof globalThis.fetch;

/** Where clients believe they send to; what they send goes to the target. */
export const anywhere = "http://target.invalid";

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
  { target, knownModels, patience, only = client, turn, fetch = globalThis.fetch }: TrialOptions,
  act: (fetch: Fetch, wire: Wire) => Promise<Seen>,
  expected: { readonly requests: number } = { requests: 1 },
): Promise<ClientTrial | undefined> {
  if (client !== only) return undefined;
  const bodies: string[] = [];
  const copies: Promise<void>[] = [];
  const given = new AbortController();
  let requests = 0;
  let timer: NodeJS.Timeout | undefined;
  let giveUp: (late: "late") => void;
  const late = new Promise<"late">((resolve) => void (giveUp = resolve));
  const bePatient = (): void => void (timer = setTimeout(() => giveUp("late"), patience));
  bePatient();
  const send: Fetch = async (input, init = {}) => {
    requests++;
    if (turn) {
      // Waiting for a turn is ours, and no client's.
      clearTimeout(timer);
      await turn();
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
    const position = bodies.push("") - 1;
    const copy = response.clone();
    copies.push(readInto(copy, (text) => (bodies[position] += text)));
    return response;
  };
  const wire: Wire = { bodies, events: (position = 0) => eventsIn(bodies[position] ?? "") };
  const told = (outcome: ClientTrial["outcome"], detail: string): ClientTrial => ({
    client,
    scenario,
    outcome,
    detail: withoutKeys(detail, target),
  });
  const acting = act(send, wire).then(
    (seen): ClientTrial =>
      seen && "drops" in seen
        ? told("drops", seen.drops)
        : seen
          ? told("not shown", seen.unshown)
          : requests > expected.requests
            ? told("asks again", `${requests} requests where ${expected.requests} would do`)
            : told("fine", ""),
    (error: unknown) => told("throws", error instanceof Error ? `${error.name}: ${error.message}` : String(error)),
  );
  const result = await Promise.race([acting, late]);
  clearTimeout(timer);
  given.abort();
  await Promise.allSettled([acting, ...copies]);
  return result === "late" ? told("waits", `no end after ${patience / 1000} seconds`) : result;
}

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

function eventsIn(text: string): readonly Loose[] {
  return parseEvents(Buffer.from(text)).events.flatMap(({ data }) => {
    try {
      return [JSON.parse(data)];
    } catch {
      return [];
    }
  });
}

const longest = 300;

/** Errors of clients quote what came, and so may repeat a key. */
function withoutKeys(text: string, target: Target): string {
  let shown = text;
  for (const { value } of secretsOf(target)) shown = shown.replaceAll(value, "[redacted]");
  const line = shown.replace(/\s+/g, " ").trim();
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

/** What is lost where a client gives less, or something else, than the wire held. */
export function compared(what: string, given: unknown, held: unknown): Seen {
  const [one, other] = [JSON.stringify(given), JSON.stringify(held)];
  return one === other ? undefined : { drops: `${what}: the client gives ${one}, the wire held ${other}` };
}
