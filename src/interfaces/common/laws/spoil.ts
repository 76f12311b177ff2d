/** Ways to break one of several good exchanges. */
import type { Law } from "../../../check/law.ts";
import type { Exchange } from "../../../wire/exchange.ts";
import { isEventStream } from "../../../wire/headers.ts";
import { pathOf } from "../../../wire/target.ts";

/** Changes the last of several exchanges by what the first answers. */
export const spoilLast =
  (change: (last: Exchange, first: Exchange) => Exchange | undefined): Law["spoil"] =>
  (exchanges) => {
    const [first, last] = [exchanges[0], exchanges.at(-1)];
    const changed = first && last && change(last, first);
    return changed && [...exchanges.slice(0, -1), changed];
  };

/** Changes the last stream among several exchanges. */
export const spoilStream =
  (change: (stream: Exchange) => Exchange | undefined): Law["spoil"] =>
  (exchanges) => {
    const at = exchanges.findLastIndex(({ response }) => isEventStream(response));
    const changed = exchanges[at] && change(exchanges[at]);
    return changed && exchanges.with(at, changed);
  };

/** Changes the last exchange whose path ends so. */
export const spoilAt =
  (ending: string, change: (exchange: Exchange) => Exchange | undefined): Law["spoil"] =>
  (exchanges) => {
    const at = exchanges.findLastIndex(({ request }) => pathOf(request.target).endsWith(ending));
    const changed = exchanges[at] && change(exchanges[at]);
    return changed && exchanges.with(at, changed);
  };
