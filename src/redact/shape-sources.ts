/** The content of a row about the keys of a service, and the lists that rows are taken from. */

/** A service, how its keys begin, what follows, and the source. Longest first where one beginning is another's. */
export type Shape = readonly [service: string, prefix: string, rest: RegExp, source: string];

/** Lists of shapes in the states that were read: a list may drop a rule later. */
export const gitleaks =
  "https://github.com/gitleaks/gitleaks/blob/420a0f55f4a7a03dfe701ceb1f4f66a7c68b26b4/config/gitleaks.toml";
export const betterleaks =
  "https://github.com/betterleaks/betterleaks/blob/001955c2a25c22e2145812f026a2dfbe8252b77d/config/betterleaks.toml";
export const betterleaksRule = (rule: string, commit: string): string =>
  `https://github.com/betterleaks/betterleaks/blob/${commit}/cmd/generate/config/rules/${rule}.go`;
export const kingfisher = (rule: string, commit: string): string =>
  `https://github.com/mongodb/kingfisher/blob/${commit}/crates/kingfisher-rules/data/rules/${rule}.yml`;
export const trufflehog = (detector: string, commit: string): string =>
  `https://github.com/trufflesecurity/trufflehog/blob/${commit}/pkg/detectors/${detector}.go`;
export const evidence = (page: string, commit: string): string =>
  `https://github.com/redact-secret/redact-secret/blob/${commit}/docs/audits/evidence/${page}.md`;

/** Rows that differ in nothing but how the keys begin. */
export const each = (service: string, prefixes: string, rest: RegExp, source: string): Shape[] =>
  prefixes.split(" ").map((prefix) => [service, prefix, rest, source]);
