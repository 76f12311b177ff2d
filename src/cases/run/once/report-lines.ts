/** Reads what a program says of each case: lines of JSON among everything else that it prints. */
import { StringDecoder } from "node:string_decoder";
import { isObject, parseJson } from "../../../wire/json.ts";
import type { Handed, HandedCall } from "../../observation.ts";

/** The report of one case. */
export interface CaseReport {
  readonly case: string;
  /** The interface that it was asked by, where the program says so. */
  readonly interface?: string;
  readonly handed: Omit<Handed, "after">;
}

/** Characters of a line that are read. */
const maxLine = 4 << 20;

/** The calls of a report; what a call was given may be JSON as text or as a value. */
const callsIn = (value: unknown): readonly HandedCall[] =>
  (Array.isArray(value) ? value : []).flatMap((one: unknown) => {
    const call: { readonly [K in keyof HandedCall]?: unknown } = isObject(one) ? one : {};
    if (typeof call.name !== "string") return [];
    const given = call.arguments ?? {};
    return [{ name: call.name, arguments: typeof given === "string" ? given : JSON.stringify(given) }];
  });

/** The error of a report: a text, or what SDKs know of it. */
function errorIn(value: unknown): NonNullable<Handed["error"]> | null {
  if (value === undefined || value === null || value === false) return null;
  if (!isObject(value)) return { name: "Error", message: String(value) };
  const { name, message, status } = value;
  return {
    name: typeof name === "string" ? name : "Error",
    message: typeof message === "string" ? message : JSON.stringify(value),
    ...(typeof status === "number" && { status }),
  };
}

/** The report in a line; undefined where it holds none. */
export function reportIn(line: string): CaseReport | undefined {
  if (!line.trimStart().startsWith("{")) return undefined;
  const json = parseJson(line);
  if (!json.ok || !isObject(json.value) || typeof json.value["case"] !== "string") return undefined;
  const { case: id, interface: of, text, calls, error: given } = json.value;
  const error = errorIn(given);
  return {
    case: id as string,
    ...(typeof of === "string" && { interface: of }),
    handed: {
      text: typeof text === "string" ? text : "",
      ...(calls !== undefined && { calls: callsIn(calls) }),
      error,
      end: error ? "threw" : "returned",
    },
  };
}

/** Takes output as it comes, and tells of each report in it. */
export function createReportReader(told: (report: CaseReport) => void): (bytes: Buffer) => void {
  const decoder = new StringDecoder("utf8");
  let pieces: string[] = [];
  let length = 0;
  return (bytes) => {
    const lines = decoder.write(bytes).split("\n");
    for (const [i, piece] of lines.entries()) {
      if (length <= maxLine) pieces.push(piece);
      length += piece.length;
      if (i === lines.length - 1) break;
      const report = length <= maxLine ? reportIn(pieces.join("")) : undefined;
      if (report) told(report);
      pieces = [];
      length = 0;
    }
  };
}
