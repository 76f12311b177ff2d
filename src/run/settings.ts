/** What the results of a run say of how it was asked and judged: enough to judge its exchanges again, and no credential. */
import { isShippedPreset, type Judging, readPreset } from "../interfaces/judging.ts";
import type { RunSettings } from "../verdict/document.ts";
import type { RunOptions } from "./options.ts";
import { isSecretHeader } from "./secrets.ts";
import type { Selection } from "./selection.ts";
import type { Target } from "./target.ts";

/** @param judging its bindings begin with those of the preset, where there is one */
export function settingsOf(
  options: RunOptions,
  judging: Judging,
  target: Pick<Target, "keys" | "models" | "headers">,
  { probeChoice, ownRecordings }: Pick<Selection, "probeChoice" | "ownRecordings">,
): RunSettings {
  const { preset, level = "error", reading = [] } = options;
  return {
    level,
    readings: reading,
    preset: preset === undefined ? null : isShippedPreset(preset) ? preset : readPreset(preset),
    bindings: preset === undefined ? judging.bindings : judging.bindings.slice(1),
    models: target.models,
    headers: target.headers.map(([name, value]) => [name, isSecretHeader(name, value) ? "[redacted]" : value]),
    keys: Object.keys(target.keys).sort(),
    ways: {},
    probes: probeChoice,
    ownRecordings,
    today: new Date().toISOString().slice(0, 10),
  };
}
