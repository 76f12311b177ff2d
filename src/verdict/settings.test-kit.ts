/** Settings of a run about which a test says nothing. */
import type { RunSettings } from "./document.ts";

export const settings: RunSettings = {
  level: "error",
  readings: [],
  preset: null,
  bindings: [],
  models: {},
  headers: [],
  keys: {},
  ways: {},
  again: 2,
  probes: "cheap",
  ownRecordings: false,
  today: "2026-01-01",
};
