/** Makes edits of an answer as a whole: its status, its headers, and whether it came. */
import { gzipSync } from "node:zlib";
import { replaceText } from "../replace-text.test-kit.ts";
import { editBody, editHeader, editStatus } from "../wire/edit.ts";
import type { Exchange } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";
import type { AnEdit, Side } from "./an-edit.test-kit.ts";

export function* headEdits(exchange: Exchange): Generator<AnEdit> {
  const header = (name: string, value: string | undefined, side: Side = "response"): AnEdit["change"] => {
    return (one) => editHeader(one, side, name, value);
  };
  const type = headerValue(exchange.response!.headers, "content-type");
  const pairs = (of: (list: (readonly [string, string])[]) => (readonly [string, string])[]): AnEdit["change"] => {
    return (one) => ({ ...one, response: { ...one.response!, headers: of([...one.response!.headers]) } });
  };
  yield {
    what: "another status",
    changes: 1,
    change: (one) => editStatus(one, one.response!.status === 418 ? 419 : 418),
  };
  yield { what: "another status of success", changes: 1, change: (one) => editStatus(one, one.response!.status + 3) };
  yield { what: "no answer", changes: 1, change: (one) => ({ ...one, response: null }) };
  yield { what: "an answer that breaks off", changes: 1, change: (one) => ({ ...one, aborted: "upstream" }) };
  yield { what: "an empty body", changes: 1, change: (one) => editBody(one, "response", Buffer.alloc(0)) };
  yield { what: "a header of the answer", changes: 1, change: header("X-More", "1") };
  yield { what: "a header of the request", changes: 1, change: header("X-More", "1", "request") };
  yield { what: "another date", changes: 0, change: header("Date", "Sun, 22 Nov 2026 20:00:00 GMT") };
  yield { what: "another media type", changes: 1, change: header("Content-Type", "text/csv") };
  yield { what: "no media type", changes: 1, change: header("Content-Type", undefined) };
  if (type !== undefined) {
    yield {
      what: "the media type in capitals",
      changes: 0,
      change: header(
        "Content-Type",
        replaceText(type, /^[^;]+/, (own) => own.toUpperCase()),
      ),
    };
    yield {
      what: "the media type twice",
      changes: 1,
      change: pairs((list) => [...list, ["Content-Type", "text/x-more"]]),
    };
  }
  yield { what: "headers in another order", changes: 0, change: pairs((list) => list.reverse()) };
  yield {
    what: "names of headers in capitals",
    changes: 0,
    change: pairs((list) => list.map(([name, value]) => [name.toUpperCase(), value])),
  };
  if (exchange.response!.body.length > 0 && headerValue(exchange.response!.headers, "content-encoding") === undefined)
    yield {
      what: "gzip",
      changes: 1,
      change: (one) => {
        const { chunks: _chunks, ...response } = one.response!;
        const body = gzipSync(response.body);
        return {
          ...one,
          response: { ...response, body, headers: [...response.headers, ["Content-Encoding", "gzip"]] },
        };
      },
    };
  const { chunks } = exchange.response!;
  yield {
    what: "other chunks",
    changes: 0,
    change: (one) => ({
      ...one,
      response: chunks ? { ...one.response!, chunks: [[5, one.response!.body.length]] } : one.response!,
    }),
  };
}
