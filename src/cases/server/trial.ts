/** One case under way: what answers its requests, and all that was seen of them. */

import { redact } from "../../redact/redact.ts";
import { redactText } from "../../redact/text.ts";
import type { Exchange, WireRequest } from "../../wire/exchange.ts";
import { headerValue } from "../../wire/headers.ts";
import type { Answerer, PlannedAnswer } from "../answers.ts";
import type { Case } from "../case.ts";
import type { InterfaceName } from "../interface-names.ts";
import {
  type CaseObservation,
  type Handed,
  maxExchanges,
  type SeenConnection,
  type SeenExchange,
} from "../observation.ts";
import type { Sent } from "./connection.ts";

/** Headers in which clients send keys. */
const keyHeaders = ["authorization", "x-api-key", "api-key", "x-goog-api-key"];

/** Whether a request carries a credential. */
const hasKeyIn = ({ headers, target }: WireRequest): boolean =>
  keyHeaders.some((name) => (headerValue(headers, name) ?? "") !== "") ||
  /[?&](?:key|api_key|access_token)=[^&]/.test(target);

/** The place where a request came. */
export interface RequestPlace {
  readonly connection: number;
  readonly isOther: boolean;
  /** The origin it was sent to, and the other one. */
  readonly origin: string;
  readonly other: string;
}

export interface Trial {
  readonly case: Case;
  readonly interface: InterfaceName;
  readonly seed: string;
  /** `performance.now` at its start. */
  readonly started: number;
  /** Plans the answer to a request. @returns it, and what to call when it was sent */
  take(
    request: WireRequest,
    place: RequestPlace,
  ): { readonly planned: PlannedAnswer; readonly done: (sent: Sent) => void };
  opened(connection: number): void;
  closed(connection: number, by: "client" | "server"): void;
  /** Whether an answer is under way that the client has not left. */
  readonly isSending: () => boolean;
  /** The observation until now. */
  observation(handed: Handed): CaseObservation;
  /** In the order in which requests came; without credentials. */
  exchanges(): readonly Exchange[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A program may print what stands in its environment. */
const withoutCredentials = ({ output, errors, error, ...handed }: Handed): Handed => ({
  ...handed,
  ...(output !== undefined && { output: redactText(output) }),
  ...(errors !== undefined && { errors: redactText(errors) }),
  ...(error !== undefined && { error: error && { ...error, message: redactText(error.message) } }),
});

/** @param label the interface that the trial is listed under */
export function createTrial(one: Case, label: InterfaceName, seed: string, answerer: Answerer): Trial {
  const started = performance.now();
  const startedAt = Date.now();
  const since = (): number => Math.round(performance.now() - started);
  const seen: Mutable<SeenExchange>[] = [];
  const kept: Exchange[] = [];
  const connections = new Map<number, Mutable<SeenConnection>>();
  let sending = 0;

  return {
    case: one,
    interface: label,
    seed,
    started,
    take(request, { connection, isOther, origin, other }) {
      const at = since();
      const own = isOther ? { origin: other, other: origin } : { origin, other };
      const planned = answerer(request, { ...own, isOther, now: Date.now() });
      sending++;
      const exchange = seen.length;
      if (exchange >= maxExchanges) return { planned, done: () => void sending-- };
      const entry: Mutable<SeenExchange> = {
        exchange,
        at,
        until: at,
        connection,
        origin: isOther ? "other" : "own",
        hasKey: hasKeyIn(request),
        left: false,
      };
      seen.push(entry);
      const bare: Exchange = { origin, started: startedAt + at, request, response: null };
      kept.push(redact(bare));
      return {
        planned,
        done({ body, chunks, cut, hasHead, left }) {
          sending--;
          entry.until = since();
          entry.left = left;
          const { status, reason, headers, trailers, end } = planned.answer;
          const response = { status, ...(reason && { reason }), headers, body, chunks, time: entry.until - at };
          const brokeOff = left ? "client" : end !== undefined && end !== "whole" ? "upstream" : undefined;
          kept[exchange] = redact({
            ...bare,
            response: hasHead ? { ...response, ...(trailers && { trailers }), ...(cut > 0 && { cut }) } : null,
            ...(brokeOff && { aborted: brokeOff }),
          });
        },
      };
    },
    opened(connection) {
      if (!connections.has(connection) && connections.size < maxExchanges)
        connections.set(connection, { connection, opened: since(), closed: null, closedBy: null });
    },
    closed(connection, by) {
      const entry = connections.get(connection);
      if (!entry) return;
      entry.closed = since();
      entry.closedBy = by;
    },
    isSending: () => sending > 0,
    observation: (handed) => ({
      case: one.id,
      interface: label,
      seed,
      exchanges: structuredClone(seen),
      connections: [...connections.values()].map((entry) => ({ ...entry })),
      handed: withoutCredentials(handed),
    }),
    exchanges: () => [...kept],
  };
}
