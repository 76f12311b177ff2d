/** Finds the places at which the request of a probe differs from the good one that it was made from. */
import type { ViewedBody, ViewedExchange, ViewedField } from "../../view/viewed.ts";
import { type Difference, differencesOf } from "./json-differences.ts";
import { jsonNodes } from "./json-nodes.ts";
import type { Mark } from "./marks.ts";

/** A place at which two requests differ. */
export interface Changed extends Difference {
  readonly in: "body" | "headers" | "query" | "form" | "path" | "method";
}

type Table = ReadonlyMap<string, string>;

const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

function tableChanges(place: Changed["in"], before: Table, after: Table): Changed[] {
  const names = new Set([...after.keys(), ...before.keys()]);
  return [...names].flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)];
    return was === is ? [] : [{ in: place, pointer: `/${escaped(name)}`, before: was, after: is }];
  });
}

/** Headers that differ from one sending to the next. */
const ofSending = /^(?:content-length|host|connection|date|x-stainless-.*|x-request-id)$/;

const headersOf = ({ request }: ViewedExchange): Table =>
  new Map(
    request.headers.flatMap(([name, value]) => {
      const key = name.toLowerCase();
      // The boundary of a form is another each time.
      return ofSending.test(key) ? [] : [[key, value.replace(/boundary=\S+/, "boundary=…")]];
    }),
  );

const queryOf = ({ request: { target } }: ViewedExchange): Table =>
  new Map(new URLSearchParams(target.includes("?") ? target.slice(target.indexOf("?") + 1) : ""));

const pathOf = ({ request: { target } }: ViewedExchange): string => target.split("?", 1)[0]!;

function fieldText({ value, image, hex, bytes, filename, contentType }: ViewedField): string {
  const content = value?.text ?? image?.data ?? hex ?? "";
  return filename === undefined && contentType === undefined
    ? content
    : `${filename} ${contentType} ${bytes} ${content}`;
}

function bodyChanges(before: ViewedBody | undefined, after: ViewedBody | undefined): Changed[] {
  if (before?.kind === "json" && after?.kind === "json")
    return differencesOf(jsonNodes(before.text), jsonNodes(after.text)).map((one) => ({ in: "body", ...one }));
  if (before?.kind === "form" && after?.kind === "form") {
    const tableOf = (fields: readonly ViewedField[]): Table => {
      const table = new Map<string, string>();
      for (const field of fields)
        table.set(field.name, [table.get(field.name), fieldText(field)].filter(Boolean).join(", "));
      return table;
    };
    return tableChanges("form", tableOf(before.fields), tableOf(after.fields));
  }
  const bodyText = (body: ViewedBody | undefined): string | undefined =>
    body === undefined ? undefined : "text" in body ? body.text : JSON.stringify(body);
  const [was, is] = [bodyText(before), bodyText(after)];
  return was === is ? [] : [{ in: "body", pointer: "", before: was, after: is }];
}

/** The places at which a request differs from its twin. */
export function changesOf(twin: ViewedExchange, probe: ViewedExchange): Changed[] {
  const [was, is] = [twin.request, probe.request];
  return [
    ...(was.method === is.method ? [] : [{ in: "method", pointer: "", before: was.method, after: is.method } as const]),
    ...(pathOf(twin) === pathOf(probe)
      ? []
      : [{ in: "path", pointer: "", before: pathOf(twin), after: pathOf(probe) } as const]),
    ...tableChanges("query", queryOf(twin), queryOf(probe)),
    ...tableChanges("headers", headersOf(twin), headersOf(probe)),
    ...bodyChanges(was.body, is.body),
  ];
}

/** Marks of the changes in the probe, or in its twin. */
export const marksOfChanges = (changes: readonly Changed[], inTwin: boolean): Mark[] =>
  changes.map(({ in: place, pointer, before, after }) => {
    const other = inTwin ? after : before;
    const short = other !== undefined && other.length > 120 ? `${other.slice(0, 120)}…` : other;
    return {
      level: "difference",
      side: "request",
      in: place,
      event: null,
      pointer,
      says: `${inTwin ? "the probe" : "its twin"} has ${short === undefined ? "nothing here" : short}`,
      isFocus: false,
    };
  });
