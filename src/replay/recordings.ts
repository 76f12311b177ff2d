/** Finds the recorded cassettes by interface and section, and reads one. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Bindings } from "../check/names.ts";
import type { Exchange, WireRequest } from "../wire/exchange.ts";

/** A value of an earlier answer that a request takes over. */
export interface Bind {
  readonly from: { readonly exchange: number; readonly pointer: string };
  /** JSON Pointer into this request's body. */
  readonly to: string;
}

export interface RecordedExchange extends Exchange {
  readonly bind?: readonly Bind[];
}

export interface Recording {
  /** `<interface>/<section>/<name>.json`, as findings name it. */
  readonly source: string;
  readonly interface: string;
  readonly section: string;
  /** What a target must offer for it. */
  readonly needs: readonly string[];
  /** Clauses its requests break on purpose. */
  readonly violates: readonly string[];
  readonly bindings: Bindings;
  readonly exchanges: readonly RecordedExchange[];
}

/** Sources of all cassettes below a folder laid out as `<interface>/<section>/<name>.json`, sorted. */
export function recordingsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    )
    .filter((source) => source.split("/").length === 3)
    .sort();
}

/** Reads one cassette; throws where it is damaged, since it is our own. */
export function readRecording(folder: string, source: string): Recording {
  const [of = "", section = ""] = source.split("/");
  const file = JSON.parse(readFileSync(join(folder, source), "utf8"));
  const bytes = (body: any): Uint8Array =>
    body === undefined || body === null
      ? new Uint8Array()
      : "json" in body
        ? Buffer.from(JSON.stringify(body.json))
        : "text" in body
          ? Buffer.from(body.text)
          : "base64" in body
            ? Buffer.from(body.base64, "base64")
            : Buffer.from(body.chunks.map((c: any) => c[1]).join(""));
  return {
    source,
    interface: of,
    section,
    needs: file.needs ?? [],
    violates: file.violates ?? [],
    bindings: file.bindings ?? {},
    exchanges: file.exchanges.map((e: any) => ({
      request: { ...e.request, headers: e.request.headers ?? [], body: bytes(e.request.body) } as WireRequest,
      response: e.response && { ...e.response, headers: e.response.headers ?? [], body: bytes(e.response.body) },
      ...(e.bind && { bind: e.bind }),
    })),
  };
}
