/** Reads how a target is described: a base URL or a target file, keys, models, headers. */

import { dirname, resolve } from "node:path";
import type { Level } from "../../check/clause.ts";
import { type Bindings, isBindings } from "../../check/names.ts";
import { didYouMean } from "../../check/suggest.ts";
import { isShippedPreset } from "../../interfaces/judging.ts";
import { readJsonFile } from "../../json-file.ts";
import { UserError } from "../../user-error.ts";
import type { Enforcement } from "../../verdict/run-results.ts";
import { isObject } from "../../wire/json.ts";
import type { RunOptions } from "../options.ts";
import { keyVariable } from "../send/secrets.ts";
import type { Prices } from "../send/usage-meter.ts";
import type { Target } from "./target.ts";

/** A target file. */
export interface TargetFile {
  readonly url: string;
  /** Its name in reports. */
  readonly name?: string;
  /** Interface (or `*`) to an environment variable's name with a leading `$`. */
  readonly keys?: Readonly<Record<string, string>>;
  readonly bindings?: Bindings;
  readonly models?: Readonly<Record<string, string>>;
  readonly lacks?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Path of an expectations file, from the target file's folder. */
  readonly expectations?: string;
  /** A preset that ships with touchstone, or a file from the target file's folder. */
  readonly preset?: string;
  /** Only these. */
  readonly interfaces?: readonly string[];
  /** Users' own documents: folders, or OpenAPI files, from the target file's folder. */
  readonly documents?: readonly string[];
  /** As `--reading` has them. */
  readonly readings?: readonly string[];
  readonly level?: Level;
  /** As `--enforcement` has it. */
  readonly enforcement?: Enforcement;
  readonly limits?: Limits;
  /** Interface (or `*`) to what it costs. */
  readonly prices?: Prices;
  /** Results of the upstream, or its target file, from the target file's folder; or its address. */
  readonly baseline?: string;
  /** Folder of results, from the target file's folder. */
  readonly out?: string;
  /** The options of `touchstone gateway`, by these names. */
  readonly gateway?: GatewayMembers;
}

/** A gateway between two interfaces, as a target file describes it. */
export interface GatewayMembers {
  readonly from?: string;
  readonly to?: string;
  readonly upstream?: string;
  readonly start?: string;
  readonly gate?: "fidelity";
  readonly keep?: readonly string[];
  readonly strict?: boolean;
}

/** How much a run asks of a target: what the options of these names say. */
export interface Limits extends Partial<Pick<RunOptions, "rate" | "concurrency" | "retries" | "timeout" | "wait">> {
  /** `--max-requests`, and so on. */
  readonly requests?: number;
  readonly time?: number;
  readonly tokens?: number;
  readonly cost?: number;
}

const example = `{"url": "http://127.0.0.1:8080", "keys": {"messages": "$NAME_OF_A_VARIABLE"}}`;

/** A base URL without credentials, query and fragment; UserError otherwise. */
export function baseUrl(text: string, where: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const remedy = "Write for example http://127.0.0.1:8080 or https://host/gateway.";
  if (!url || !/^https?:$/.test(url.protocol)) throw new UserError(`${where}: ${text} is no http(s) address`, remedy);
  if (url.username || url.password)
    throw new UserError(
      `${where}: the address holds credentials`,
      "Take them out and give them with --header or --key.",
    );
  if (url.search || url.hash) throw new UserError(`${where}: the address has a query or fragment`, remedy);
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** Whether a target or baseline is named by its address, and not by a path. */
export const isAddress = (text: string): boolean => /^https?:\/\//i.test(text);

/** Reads `[target]`: an address, or a file that has one. */
export function readTarget(text: string): TargetFile {
  if (isAddress(text)) return { url: baseUrl(text, "target") };
  const hint = /^[\w.-]+:\d+/.test(text)
    ? `An address begins with its scheme: http://${text}`
    : `Give an address such as http://127.0.0.1:8080, or a target file such as ${example}.`;
  const content = readJsonFile(text, `target ${text}`, hint);
  const problem = problemOf(content);
  if (problem) throw new UserError(`target file ${text}: ${problem}`, `A target file looks like ${example}.`);
  const file = content as TargetFile;
  const { documents, preset, expectations, baseline, out } = file;
  const at = (path: string): string => resolve(dirname(text), path);
  return {
    ...file,
    url: baseUrl(file.url, `target file ${text}`),
    ...(documents && { documents: documents.map(at) }),
    ...(expectations !== undefined && { expectations: at(expectations) }),
    ...(baseline !== undefined && { baseline: isAddress(baseline) ? baseline : at(baseline) }),
    ...(out !== undefined && { out: at(out) }),
    ...(preset !== undefined && { preset: isShippedPreset(preset) ? preset : at(preset) }),
  };
}

/** The options of a run with what a target file says; what was given beside it wins. */
export function optionsWith(file: TargetFile | undefined, given: RunOptions): RunOptions {
  if (!file) return given;
  const {
    name,
    documents,
    preset,
    interfaces,
    readings,
    level,
    enforcement,
    expectations,
    baseline,
    limits = {},
  } = file;
  const { requests: maxRequests, time: maxTime, tokens: maxTokens, cost: maxCost, ...others } = limits;
  const bounds = { maxRequests, maxTime, maxTokens, maxCost, ...others };
  const own = Object.entries(given).filter(([, value]) => value !== undefined);
  return {
    ...{
      name,
      documents,
      preset,
      interface: interfaces,
      reading: readings,
      level,
      enforcement,
      expectations,
      baseline,
      ...bounds,
    },
    ...Object.fromEntries(own),
  };
}

const bindingMembers = ["names", "models", "alternatives", "credentials"];
const limits = ["requests", "time", "tokens", "cost", "rate", "concurrency", "retries", "timeout", "wait"];
const gatewayMembers = ["from", "to", "upstream", "start", "gate", "keep", "strict"];
const innerMembers: Readonly<Record<string, readonly string[]>> = {
  limits,
  bindings: bindingMembers,
  gateway: gatewayMembers,
};

function problemOf(content: unknown): string | undefined {
  if (!isObject(content)) return "it is no JSON object";
  const isTexts = (value: unknown): boolean =>
    isObject(value) && Object.values(value).every((item) => typeof item === "string");
  const isText = (value: unknown): boolean => typeof value === "string";
  const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
  const tests: Record<string, (value: unknown) => boolean> = {
    url: isText,
    name: isText,
    keys: (value) => isTexts(value) && Object.values(value as object).every((item) => /^\$\w+$/.test(item)),
    bindings: isOnlyBindings,
    models: isTexts,
    lacks: areTexts,
    headers: isTexts,
    expectations: isText,
    preset: isText,
    interfaces: areTexts,
    documents: areTexts,
    readings: areTexts,
    level: (value) => value === "error" || value === "warning" || value === "note",
    enforcement: (value) => value === "error" || value === "warning" || value === "off",
    limits: (value) =>
      isObject(value) &&
      Object.entries(value).every(([name, item]) => limits.includes(name) && typeof item === "number" && item >= 0),
    prices: (value) => isObject(value) && Object.values(value).every(isPrice),
    baseline: isText,
    out: isText,
    gateway: isGateway,
  };
  if (content["url"] === undefined) return `it has no "url"`;
  for (const [name, value] of Object.entries(content)) {
    if (/^(\$|x-)/.test(name)) continue;
    if (!Object.hasOwn(tests, name)) return unknownMember(name, Object.keys(tests));
    if (name === "keys" && isTexts(value) && !tests["keys"]!(value))
      return `"keys" must name environment variables ("$NAME"), since keys do not belong into files`;
    const inner = innerMembers[name];
    const stranger = inner && isObject(value) ? Object.keys(value).find((one) => !inner.includes(one)) : undefined;
    if (stranger !== undefined) return `"${name}": ${unknownMember(stranger, inner!)}`;
    if (!tests[name]!(value)) return `"${name}" is not as it should be`;
  }
  return undefined;
}

function unknownMember(name: string, known: readonly string[]): string {
  const hint = didYouMean(name, known).trim();
  return `it has an unknown member ${JSON.stringify(name)}${hint === "" ? "" : `: ${hint}`}`;
}

function isGateway(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { gate, keep, strict, ...texts } = value;
  return (
    (gate === undefined || gate === "fidelity") &&
    (keep === undefined || (Array.isArray(keep) && keep.every((one) => typeof one === "string"))) &&
    (strict === undefined || typeof strict === "boolean") &&
    Object.values(texts).every((one) => typeof one === "string")
  );
}

function isPrice(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { input, output, image = 0, ...others } = value;
  const isAmount = (one: unknown): boolean => typeof one === "number" && one >= 0;
  return Object.keys(others).length === 0 && [input, output, image].every(isAmount);
}

/** Whether a value is bindings, and nothing else: who writes a target file is told of what nobody would read. */
const isOnlyBindings = (value: unknown): boolean =>
  isBindings(value) && Object.keys(value).every((name) => bindingMembers.includes(name));

/**
 * `--key` values, the target file's keys and the environment, as credentials by interface, and the variables these were read from.
 * @param byDefault interfaces whose variable is read though nothing names it
 */
export function keysFrom(
  values: readonly string[],
  file: TargetFile["keys"],
  interfaces: readonly string[],
  environment: NodeJS.ProcessEnv,
  byDefault: readonly string[] = ["*", ...interfaces],
): Required<Pick<Target, "keys" | "keyVariables">> {
  const keys: Record<string, string> = {};
  const keyVariables: Record<string, string> = {};
  const put = (name: string, value: string, where: string): void => {
    const variable = value.startsWith("$") ? value.slice(1) : undefined;
    const key = variable === undefined ? value : environment[variable];
    if (variable !== undefined && !key)
      throw new UserError(`${where}: the environment variable ${variable} is not set`, "Set it, or name another.");
    keys[name] = key!;
    // A name that no shell knows stands in no command.
    if (variable !== undefined && /^\w+$/.test(variable)) keyVariables[name] = variable;
    else delete keyVariables[name];
  };
  for (const name of byDefault) {
    const variable = keyVariable(name);
    if (environment[variable]) put(name, `$${variable}`, "");
  }
  for (const [name, value] of Object.entries(file ?? {})) {
    if (name !== "*" && !interfaces.includes(name))
      throw new UserError(`target file: keys.${name} is no interface`, `The interfaces are ${interfaces.join(", ")}.`);
    put(name, value, `keys.${name}`);
  }
  for (const value of values) {
    const name = [...interfaces, "*"].find((one) => value.startsWith(`${one}=`));
    put(name ?? "*", name === undefined ? value : value.slice(name.length + 1), "--key");
  }
  return { keys, keyVariables };
}

/** `--model` values over the target file's models: `ID` for all text interfaces, or `NAME=ID`. */
export function modelsFrom(values: readonly string[], file: TargetFile["models"]): Record<string, string> {
  const models: Record<string, string> = { ...file };
  for (const value of values) {
    const cut = value.indexOf("=");
    const name = cut < 0 ? "*" : value.slice(0, cut);
    const id = value.slice(cut + 1);
    if (!name || !id)
      throw new UserError(`--model ${value} names no model`, "Write --model ID, or --model messages=ID.");
    models[name] = id;
  }
  return models;
}

/** `--header` values over the target file's headers. */
export function headersFrom(values: readonly string[], file: TargetFile["headers"]): [string, string][] {
  const headers: [string, string][] = Object.entries(file ?? {});
  for (const value of values) {
    const match = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*?)\s*$/.exec(value);
    if (!match) throw new UserError("--header is not NAME: VALUE", `Write for example --header "X-Tenant: test".`);
    headers.push([match[1]!, match[2]!]);
  }
  return headers;
}
