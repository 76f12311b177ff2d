/** The settings that the results of a run hold: enough to judge its exchanges again, and no credential. */

import { createHash } from "node:crypto";
import type { CassetteHeader } from "../cassette/format.ts";
import type { Interface } from "../check/interface.ts";
import { joinBindings } from "../check/names.ts";
import { type Judging, judgingSettings } from "../interfaces/judging.ts";
import type { RunResults, RunSettings, StartedFrom } from "../verdict/run-results.ts";
import type { RunOptions } from "./options.ts";
import type { Selection } from "./plan/selection.ts";
import { bindingsOf, placesOf, type Target } from "./plan/target.ts";
import { isSecretHeader, secretsOf, withoutScheme } from "./send/secrets.ts";

/** How often a request is sent again if its answer lacks what takes a model that plays along. A bound on requests is one on these, too. */
export const againOf = ({ maxRequests, retries = 3 }: RunOptions): number =>
  maxRequests === undefined ? Math.min(2, retries) : 0;

/** @param judging its bindings begin with those of the preset, where there is one */
export function settingsOf(
  options: RunOptions,
  judging: Judging,
  target: Pick<Target, "keys" | "keyVariables" | "models" | "headers">,
  { probeChoice, ownRecordings }: Pick<Selection, "probeChoice" | "ownRecordings">,
  started: StartedFrom = {},
): RunSettings {
  const { level = "error", enforcement } = options;
  const secrets = secretsOf(target);
  const variableOf = (value: string): string => `$${secrets.find((secret) => secret.value === value)?.variable}`;
  const { keyVariables = {} } = target;
  const there = new Set(Object.values(keyVariables).map((variable) => `$${variable}`));
  const unset = new Set(
    Object.values(target.keys)
      .map(variableOf)
      .filter((variable) => !there.has(variable)),
  );
  const told = (value: string): string => {
    const bare = withoutScheme(value);
    return bare === "" ? value : value.slice(0, value.length - bare.length) + variableOf(bare);
  };
  return {
    level,
    ...(enforcement && { enforcement }),
    ...judgingSettings(options, judging),
    models: target.models,
    headers: target.headers.map(([name, value]) => [name, isSecretHeader(name, value) ? told(value) : value]),
    keys: Object.fromEntries(Object.entries(target.keys).map(([name, key]) => [name, variableOf(key)])),
    ...(unset.size > 0 && { unsetKeys: [...unset] }),
    ways: {},
    again: againOf(options),
    probes: probeChoice,
    ownRecordings,
    today: new Date().toISOString().slice(0, 10),
    ...(Object.keys(started).length > 0 && { started }),
  };
}

/** The header for a cassette of all that a run sends, so that others judge it by the same names. @param url null for the embedded reference */
export const headerOf = (
  url: string | null,
  recordings: Selection["recordings"],
  target: Pick<Target, "bindings" | "models">,
): CassetteHeader => ({
  title: `touchstone run of ${url ?? "the embedded reference implementation"}`,
  bindings: {
    ...joinBindings([
      ...recordings.map((recording) => ({ models: recording.bindings.models ?? {} })),
      ...bindingsOf(target),
    ]),
  },
});

/** A value in place of a secret. It is the same for the same variable, and looks like a key, so that it is treated as one. */
const stand = (variable: string): string => `s1${createHash("sha256").update(variable).digest("hex").slice(0, 30)}`;

/** A target as its results tell it, with values of nobody in place of its credentials. */
export function targetOf(
  { options, plan }: Pick<RunResults, "options" | "plan">,
  judging: Judging,
  url: string,
  interfaces: readonly Interface[],
): Target {
  const { keys, headers, models, ways: overrides } = options;
  const filled = (value: string): string => value.replace(/\$(\w+)$/, (_, variable: string) => stand(variable));
  const isTold = (value: string): boolean => /(?:^|^[\w-]+ +)\$\w+$/.test(value);
  return {
    url,
    keyVariables: Object.fromEntries(Object.entries(keys).map(([name, value]) => [name, value.replace(/^\$/, "")])),
    keys: Object.fromEntries(Object.entries(keys).map(([name, value]) => [name, filled(value)])),
    bindings: judging.bindings,
    models,
    headers: headers.map(([name, value]) => [name, isTold(value) ? filled(value) : value]),
    lacks: plan.lacks,
    places: placesOf(interfaces),
    overrides,
  };
}
