/** An edit of an exchange. */
import type { Exchange } from "../wire/exchange.ts";

export interface AnEdit {
  readonly what: string;
  readonly change: (exchange: Exchange) => Exchange;
  /** How many changes it is, at least and at most. */
  readonly changes: Amount;
}

export type Amount = number | readonly [least: number, most: number];

export type Side = "request" | "response";

export const bodyText = (exchange: Exchange, side: Side): string => Buffer.from(exchange[side]!.body).toString("utf8");
