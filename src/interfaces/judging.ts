/** How to judge, as people say it: presets, bindings and readings. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ClauseData } from "../check/catalogue.ts";
import { type Divergence, isStrict, type Policy } from "../check/clause.ts";
import { type Bindings, isBindings, type Names, namesFrom } from "../check/names.ts";
import { neutralNames } from "../check/neutral-names.ts";
import { didYouMean } from "../check/suggest.ts";
import { home } from "../home.ts";
import { readJsonFile } from "../json-file.ts";
import { UserError } from "../user-error.ts";
import { isObject } from "../wire/json.ts";

export interface JudgingArgs {
  /** Users' own documents: folders, or OpenAPI files. */
  readonly documents?: readonly string[] | undefined;
  /** The parties' names for the documents' names: `vendors`, `none` for the documents' own alone, or the path of a JSON file. */
  readonly preset?: string | undefined;
  /** The name of one of them: `NAME=VALUE`, or `models.CLASS=ID`. */
  readonly bind?: readonly string[] | undefined;
  /** `strict`, `strict:ID` for one reading, `open-enums` or `lenient`. */
  readonly reading?: readonly string[] | undefined;
  /** The weight of accepted violations of rules on requests; they are `unenforced` by default, and with `off`. */
  readonly enforcement?: "off" | "warning" | "error" | undefined;
}

/** A preset: bindings, and where its vendors are known to differ from the documents. */
export interface Preset extends Bindings {
  readonly title?: string;
  readonly diverges?: readonly Divergence[];
  /** Headers, in lower case, by which its vendors are known. */
  readonly headers?: readonly string[];
}

const presets = join(home, "schemas", "presets");

/** Whether a preset of this name ships with touchstone. */
export const isShippedPreset = (name: string): boolean => existsSync(join(presets, `${name}.json`));

/** Reads a preset by name or path; UserError when there is none. */
export function readPreset(name: string): Preset {
  const file = isShippedPreset(name) ? join(presets, `${name}.json`) : name;
  const known = readdirSync(presets).map((entry) => entry.replace(/\.json$/, ""));
  const remedy = `${didYouMean(name, known)}Name a preset (${known.join(", ")}) or a JSON file such as {"names": {"partner-version": "anthropic-version"}}.`;
  return presetFrom(readJsonFile(file, `preset ${name}`, remedy), `preset ${name}`, remedy);
}

/** A value as a preset; UserError for what cannot be read as one. @param called what the complaint calls it */
export function presetFrom(value: unknown, called: string, remedy: string): Preset {
  const refuse = (what: string): never => {
    throw new UserError(`${called} ${what}`, remedy);
  };
  if (!isObject(value)) return refuse("is not a JSON object");
  const { diverges = [], headers = [] } = value;
  if (!isBindings(value)) return refuse("has names, models or credentials that cannot be read");
  if (!Array.isArray(headers) || !headers.every(isText)) return refuse("has headers that are no list of names");
  if (!Array.isArray(diverges) || !diverges.every(isDivergence))
    return refuse("has a difference (diverges) without clause, reason and by whom");
  return value;
}

const isText = (value: unknown): value is string => typeof value === "string";

const isDivergence = (value: unknown): boolean =>
  isObject(value) &&
  isText(value["clause"]) &&
  isText(value["reason"]) &&
  Array.isArray(value["by"]) &&
  value["by"].every(isText);

/** `--bind` values as bindings; UserError for one without `=`, and for a name that the documents do not have. */
export function bindingsFrom(values: readonly string[]): Bindings {
  const names: Record<string, string[]> = {};
  const models: Record<string, string[]> = {};
  let credentials: Bindings["credentials"];
  for (const text of values) {
    const match = /^(models\.)?([\w-]+)=(.+)$/.exec(text);
    if (!match) throw new UserError(`--bind ${text} is not NAME=VALUE`, "Write for example --bind image-v2=dall-e-2.");
    const [, ofModels, name, value] = match as unknown as [string, string | undefined, string, string];
    if (name === "credentials" && !ofModels) {
      if (value !== "may-be-dropped" && value !== "kept")
        throw new UserError(`--bind ${text} is unknown`, "Write credentials=may-be-dropped or credentials=kept.");
      credentials = value;
      continue;
    }
    if (!ofModels && !neutralNames.includes(name))
      throw new UserError(
        `--bind ${text}: the documents have no name ${name}`,
        `${didYouMean(name, neutralNames)}Names are ${neutralNames.join(", ")}, and models.CLASS for a class of models.`,
      );
    (ofModels ? models : names)[name] = value.split(",");
  }
  return { names, models, ...(credentials && { credentials }) };
}

/** The readings there are: all that judging options need of a catalogue. */
export type KnownReadings = Pick<ClauseData, "readings">;

/** `--reading` values as a policy; UserError for what is neither `strict`, `strict:ID` nor `open-enums`. */
export function policyFrom(values: readonly string[], known: KnownReadings): Policy {
  const strict = new Set<string>();
  let all = false;
  let openEnums = false;
  for (const value of values) {
    const id = /^strict:(.+)$/.exec(value)?.[1]?.toUpperCase();
    if (value === "strict") all = true;
    else if (value === "open-enums") openEnums = true;
    else if (id !== undefined && Object.hasOwn(known.readings, id)) strict.add(id);
    else if (value !== "lenient")
      throw new UserError(
        id === undefined ? `--reading ${value} is unknown` : `--reading ${value}: there is no reading ${id}`,
        `${
          id === undefined
            ? didYouMean(value, [
                ...["strict", "open-enums", "lenient"],
                ...Object.keys(known.readings).map((one) => `strict:${one}`),
              ])
            : didYouMean(id, Object.keys(known.readings))
        }Use strict, strict:ID (touchstone clauses --readings lists them), open-enums or lenient.`,
      );
  }
  return { strict: all ? "all" : strict, openEnums };
}

export interface Judging {
  readonly names: Names;
  readonly policy: Policy;
  readonly bindings: readonly Bindings[];
  readonly diverges: readonly Divergence[];
  /** Users' own documents, which other processes and threads open by their paths. */
  readonly documents: readonly string[];
}

let vendors: Bindings | undefined;

/** Names of well-known vendors, which hold where nobody says what names are called (reading X-NAMES). */
const inferredNames = (): Bindings => (vendors ??= { inferred: readPreset("vendors").names ?? {} });

/**
 * Everything the shared options say.
 * @param before more layers of bindings (a target file's, a cassette's), which these options outweigh
 */
export function judgingFrom(args: JudgingArgs, known: KnownReadings, ...before: readonly Bindings[]): Judging {
  const { preset, bind = [], reading = [] } = args;
  const said = [...before, bindingsFrom(bind)];
  if (preset !== undefined) return judgingOf(readPreset(preset), said, args, known);
  const isLiteral = isStrict(policyFrom(reading, known), "X-NAMES");
  return judgingOf(undefined, isLiteral ? said : [inferredNames(), ...said], args, known);
}

/** The same of a preset that is read, and of all layers of bindings that come after it. */
export function judgingOf(
  preset: Preset | undefined,
  layers: readonly Bindings[],
  { reading = [], enforcement, documents = [] }: Pick<JudgingArgs, "reading" | "enforcement" | "documents">,
  known: KnownReadings,
): Judging {
  const bindings = [...(preset ? [preset] : []), ...layers];
  const raised = enforcement === "off" ? undefined : enforcement;
  const policy = { ...policyFrom(reading, known), ...(raised && { enforcement: raised }) };
  return { names: namesFrom(...bindings), policy, bindings, diverges: preset?.diverges ?? [], documents };
}

/** How results say that they were judged: all that judging again needs. @param judging its bindings begin with those of the preset, where there is one */
export const judgingSettings = (
  { preset, reading = [] }: Pick<JudgingArgs, "preset" | "reading">,
  { bindings }: Pick<Judging, "bindings">,
) => ({
  readings: reading,
  preset: preset === undefined ? null : isShippedPreset(preset) ? preset : readPreset(preset),
  bindings: preset === undefined ? bindings : bindings.slice(1),
});
