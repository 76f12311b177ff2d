/** Packs exchanges for a page: in blocks that it inflates one at a time, those with findings first where not all fit. */
import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import type { Recorded } from "../../cassette/format.ts";
import type { Finding } from "../../check/clause.ts";
import { byExchange, type ExchangePlace } from "../../check/finding-order.ts";
import type { Interface } from "../../check/interface.ts";
import type { Recheck } from "../../verdict/run-results.ts";
import { viewedExchange } from "../../view/exchange.ts";
import type { ViewedExchange } from "../../view/viewed.ts";
import { isCurlRequest } from "../../wire/shell.ts";
import { pathOf } from "../../wire/target.ts";
import { isRun, type Results } from "../options.ts";
import type { ExchangeIndex, PageEvidence, SharedText } from "./data.ts";

/** Characters of JSON in a block: what is inflated to show one exchange. */
const blockSize = 256 << 10;
/** Bytes, compressed, of exchanges with findings that a page holds, and of the others. */
const maxFound = 12 << 20;
const maxOthers = 12 << 20;

/** Characters from which on a text is kept apart, so that it is there once however many exchanges hold it. */
const minShared = 2 << 10;

/** A block as it stands in a page. */
export const packed = (json: string): string => deflateRawSync(Buffer.from(json, "utf8")).toString("base64");

/** Blocks that grow item by item, up to a bound. */
export function createBlocks(maxBytes: number) {
  const blocks: string[] = [];
  let items: string[] = [];
  let length = 0;
  let bytes = 0;
  function close(): void {
    if (items.length === 0) return;
    const block = packed(`[${items.join(",")}]`);
    blocks.push(block);
    bytes += block.length;
    items = [];
    length = 0;
  }
  return {
    blocks,
    close,
    isFull: (): boolean => bytes * 0.75 > maxBytes,
    /** The block and the position in it. */
    add(json: string): readonly [block: number, item: number] {
      const place = [blocks.length, items.length] as const;
      items.push(json);
      length += json.length;
      if (length > blockSize) close();
      return place;
    },
  };
}

/** Keeps long texts, each once. */
function createSharedTexts() {
  const { blocks, close, add } = createBlocks(Number.POSITIVE_INFINITY);
  const known = new Map<string, number>();
  /** The block of each. */
  const places: number[] = [];
  return {
    blocks,
    close,
    places,
    /** JSON has this in place of a value. */
    replace(_name: string, value: unknown): unknown {
      if (typeof value !== "string" || value.length < minShared) return value;
      const digest = createHash("sha256").update(value).digest("base64");
      const shared = known.get(digest) ?? places.push(add(JSON.stringify(value))[0]) - 1;
      known.set(digest, shared);
      return { shared } satisfies SharedText;
    },
  };
}

/** One row of the index; its block is one of those with findings or of the others. */
interface Row extends ExchangePlace {
  readonly operation: string;
  readonly status: number | null;
  readonly worst: number;
  readonly isFound: boolean;
  readonly at: readonly [block: number, item: number] | null;
}

const keyOf = ({ source, exchange }: ExchangePlace): string => `${exchange} ${source}`;

function byKey<T extends ExchangePlace>(items: readonly T[]): Map<string, T[]> {
  const lists = new Map<string, T[]>();
  for (const item of items) {
    const list = lists.get(keyOf(item));
    if (list) list.push(item);
    else lists.set(keyOf(item), [item]);
  }
  return lists;
}

/** Stream events that findings name are not left out. */
function viewOf(
  { exchange, asked }: Recorded,
  findings: readonly Finding[],
  interfaces: readonly Interface[],
): ViewedExchange {
  const { source = "", exchange: position = 0, part, failure } = asked ?? {};
  return viewedExchange(
    exchange,
    {
      source,
      exchange: position,
      ...(part !== undefined && { part }),
      ...(failure !== undefined && { failure }),
    },
    interfaces,
    { events: new Set(findings.flatMap(({ event }) => event ?? [])) },
  );
}

const severity = { note: 1, unenforced: 1, warning: 2, error: 3 } as const;

export interface PackedExchanges {
  readonly index: ExchangeIndex;
  /** As they stand in the page. */
  readonly blocks: readonly string[];
}

export interface Packer {
  /** Takes an exchange that says where it stands. */
  add(recorded: Recorded): void;
  /** @param kept which exchanges there were to take */
  finish(kept: ExchangeIndex["kept"]): PackedExchanges;
}

/**
 * @param interfaces those that exchanges may be of
 * @param isNamed which exchanges the page names beside those with findings: they come first, too
 */
export function createPacker(
  results: Results,
  interfaces: readonly Interface[],
  isNamed: (place: ExchangePlace) => boolean = () => false,
): Packer {
  const findings = byKey(results.findings);
  const incidents = byKey(isRun(results) ? results.incidents : []);
  const commands = byKey(isRun(results) ? results.reproduce : []);
  const rechecks = (isRun(results) && results.again) || [];
  const again = byKey<Recheck>(
    rechecks.map(({ smallest, ...one }) => ({
      ...one,
      ...(smallest && isCurlRequest(smallest.curl) && { smallest }),
    })),
  );
  const found = createBlocks(maxFound);
  const others = createBlocks(maxOthers);
  const texts = createSharedTexts();
  const rows: Row[] = [];
  const isTaken = new Set<string>();

  function keep(place: ExchangePlace, operation: string, status: number | null, recorded?: Recorded): void {
    const key = keyOf(place);
    const own = findings.get(key) ?? [];
    const isFailure = incidents.get(key)?.some(({ explainedBy }) => explainedBy === undefined) ?? false;
    const worst = own.reduce((most, { level }) => Math.max(most, severity[level]), isFailure ? 3 : 0);
    const isFound = worst > 0 || isNamed(place);
    const blocks = isFound ? found : others;
    let at: Row["at"] = null;
    if (!blocks.isFull()) {
      const curl = commands.get(key)?.[0]?.curl;
      const evidence: PageEvidence = {
        findings: own,
        ...(recorded && { exchange: viewOf(recorded, own, interfaces) }),
        ...(curl !== undefined && isCurlRequest(curl) && { curl }),
        ...(again.has(key) && { again: again.get(key)! }),
      };
      at = blocks.add(JSON.stringify(evidence, texts.replace));
    }
    isTaken.add(key);
    rows.push({ ...place, operation, status, worst, isFound, at });
  }

  return {
    add(recorded) {
      const { asked, exchange } = recorded;
      if (!asked) return;
      const { method, target } = exchange.request;
      const known = findings.get(keyOf(asked))?.[0]?.operation;
      keep(
        { source: asked.source, exchange: asked.exchange },
        known ?? `${method} ${pathOf(target)}`.slice(0, 200),
        exchange.response?.status ?? null,
        recorded,
      );
    },
    finish(kept) {
      const named: readonly (Finding | (ExchangePlace & { operation: string }))[] = [
        ...results.findings,
        ...(isRun(results) ? results.incidents : []),
      ];
      for (const { source, exchange, operation } of named)
        if (!isTaken.has(keyOf({ source, exchange }))) keep({ source, exchange }, operation, null);
      for (const { close } of [found, others, texts]) close();
      return {
        index: indexOf(rows.sort(byExchange), kept, found.blocks.length, others.blocks.length, texts.places),
        blocks: [...found.blocks, ...others.blocks, ...texts.blocks],
      };
    },
  };
}

/** Rows as columns; blocks of the page count from 1, since the first is what it shows at once. */
function indexOf(
  rows: readonly Row[],
  kept: ExchangeIndex["kept"],
  found: number,
  others: number,
  shared: readonly number[],
): ExchangeIndex {
  const sources = [...new Set(rows.map(({ source }) => source))];
  const operations = [...new Set(rows.map(({ operation }) => operation))];
  const positions = (names: readonly string[]) => new Map(names.map((name, i) => [name, i]));
  const sourceAt = positions(sources);
  const operationAt = positions(operations);
  return {
    kept,
    sources,
    operations,
    source: rows.map(({ source }) => sourceAt.get(source)!),
    operation: rows.map(({ operation }) => operationAt.get(operation)!),
    exchange: rows.map(({ exchange }) => exchange),
    status: rows.map(({ status }) => status),
    worst: rows.map(({ worst }) => worst),
    block: rows.map(({ at, isFound }) => (at === null ? -1 : 1 + at[0] + (isFound ? 0 : found))),
    item: rows.map(({ at }) => at?.[1] ?? 0),
    shared: shared.map((block) => 1 + found + others + block),
  };
}

/** An index whose blocks stand behind those of other columns. */
export const movedBy = (index: ExchangeIndex, offset: number): ExchangeIndex => ({
  ...index,
  block: index.block.map((block) => (block < 0 ? block : block + offset)),
  shared: index.shared.map((block) => block + offset),
});
