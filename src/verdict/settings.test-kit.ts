/** Settings and a plan of a run about which a test says nothing. */
import type { Plan, RunSettings } from "./run-results.ts";

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

/** A plan that filters nothing and names no recording. */
export const emptyPlan: Plan = {
  interfaces: [],
  sections: [],
  clauses: [],
  lacks: [],
  limit: null,
  cassettes: [],
  exchanges: 0,
};
