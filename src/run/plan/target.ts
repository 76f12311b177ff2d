/** The target as plain data: its address, its names for things, and its credentials. */
import type { Interface } from "../../check/interface.ts";
import { type Bindings, type Names, namesFrom } from "../../check/names.ts";
import { isKind, modelKinds } from "../../check/neutral-names.ts";
import type { EndpointOverride } from "../../verdict/run-results.ts";
import type { HeaderPairs } from "../../wire/exchange.ts";

export interface Target {
  /** Base URL; its path is put before every recorded path. */
  readonly url: string;
  /** Credentials by interface; `*` is that of all others. */
  readonly keys: Readonly<Record<string, string>>;
  /** The places of key and model in requests of each interface. */
  readonly places: Readonly<Record<string, RequestPlaces>>;
  /** Environment variables that credentials were read from, by interface; a credential without one was given itself. */
  readonly keyVariables?: Readonly<Record<string, string>>;
  /** Its names, in layers; later ones win. */
  readonly bindings: readonly Bindings[];
  /** Its model ids, by recorded model id, by kind or class of models, or by interface; `*` is that of all text interfaces. */
  readonly models: Readonly<Record<string, string>>;
  /** Headers to send with every request. */
  readonly headers: HeaderPairs;
  readonly lacks: readonly string[];
  /** How it reaches its interfaces, where that is not as documented. */
  readonly overrides?: Readonly<Record<string, EndpointOverride>>;
  /** Address to show in commands, where `url` will not last as long as the report. */
  readonly shownAs?: string;
}

/** The places where requests of an interface carry what is a target's own. Plain data: it crosses to the thread that asks. */
export type RequestPlaces = Pick<Interface, "key" | "model" | "cookies">;

/** The places of each interface. */
export const placesOf = (interfaces: readonly Interface[]): Target["places"] =>
  Object.fromEntries(
    interfaces.map(({ name, key, model, cookies }) => [
      name,
      { ...(key && { key }), ...(model && { model }), ...(cookies && { cookies }) },
    ]),
  );

/** The target's bindings, with what its model ids say about kinds and classes. */
export function bindingsOf(target: Pick<Target, "bindings" | "models">): Bindings[] {
  const names: Record<string, string[]> = {};
  const models: Record<string, string[]> = {};
  for (const [name, id] of Object.entries(target.models)) {
    if (modelKinds.includes(name)) names[name] = [id];
    else if (isKind(name) || target.bindings.some((layer) => layer.models?.[name])) models[name] = [id];
  }
  const bound = (name: string): readonly string[] =>
    [target.bindings.findLast((layer) => layer.names?.[name])?.names?.[name] ?? []].flat();
  const classed = (name: string): readonly string[] =>
    target.bindings.findLast((layer) => layer.models?.[name])?.models?.[name] ?? [];
  for (const name of Object.keys(names)) names[name] = [...names[name]!, ...bound(name)];
  for (const name of Object.keys(models)) models[name] = [...models[name]!, ...classed(name)];
  return [...target.bindings, { names, models }];
}

/** Whether a model may mean something else here than where a request was made: another class, or another kind. */
export const hasOwnModels = ({ bindings, models }: Pick<Target, "bindings" | "models">): boolean =>
  Object.keys(models).length > 0 ||
  bindings.some(
    (layer) =>
      Object.keys(layer.models ?? {}).length > 0 ||
      Object.keys(layer.names ?? {}).some((name) => modelKinds.includes(name)),
  );

const plainNames = new WeakMap<object, Names>();

/** The target's names for things, as judging reads them. A cassette's model classes hold where the target says nothing else. */
export function targetNames(target: Pick<Target, "bindings" | "models">, { models = {} }: Bindings = {}): Names {
  const isPlain = Object.keys(models).length === 0;
  const known = isPlain ? plainNames.get(target) : undefined;
  if (known) return known;
  // A request that was just sent is known whole, whatever a preset says of other people's recordings.
  const names = namesFrom({ models }, ...bindingsOf(target), { credentials: "kept" });
  if (isPlain) plainNames.set(target, names);
  return names;
}

/** A model of a class that a binding names; patterns name none. */
export const idOfClass = (name: string, bindings: readonly Bindings[]): string | undefined =>
  bindings.findLast((layer) => layer.models?.[name])?.models?.[name]?.find((id) => !id.endsWith("*"));

/** Whether somebody said which model of the target is of a kind (reading X-MODEL-CAPS). The embedded reference has the documents' own. */
export const hasModelOf = (
  { models, bindings, shownAs }: Pick<Target, "models" | "bindings" | "shownAs">,
  kind: string,
): boolean =>
  shownAs !== undefined ||
  Object.hasOwn(models, kind) ||
  bindings.some((layer) => layer.names?.[kind] !== undefined) ||
  idOfClass(kind, bindings) !== undefined;

/** The target's name for a kind of models: its own bound id, or the neutral name. Patterns name no id. */
export function idOfKind(kind: string, bindings: readonly Bindings[]): string {
  const bound = [bindings.findLast((layer) => layer.names?.[kind])?.names?.[kind] ?? []].flat();
  return bound.find((id) => !id.endsWith("*")) ?? (bound[0] ? bound[0].replace(/\*$/, "") : kind);
}
