/** Makes edits of every kind at every place of an exchange, each with how many changes it is. */
import type { Exchange } from "../wire/exchange.ts";
import { isEventStream } from "../wire/headers.ts";
import type { AnEdit } from "./an-edit.test-kit.ts";
import { jsonEdits } from "./edits-of-bodies.test-kit.ts";
import { headEdits } from "./edits-of-heads.test-kit.ts";
import type { Oracle } from "./edits-of-places.test-kit.ts";
import { streamEdits } from "./edits-of-streams.test-kit.ts";

/** Edits of every kind at every place of an exchange. */
export function* editsOf(exchange: Exchange, oracle: Oracle): Generator<AnEdit> {
  yield* jsonEdits(exchange, "request", oracle);
  if (!exchange.response) return;
  if (isEventStream(exchange.response)) yield* streamEdits(exchange, oracle);
  else yield* jsonEdits(exchange, "response", oracle);
  yield* headEdits(exchange);
}
