/** The library for jest of CommonJS, as ts-jest has it. Importing this adds `toConform()` to the global `expect`. */
export * from "./index.cts";
// @ts-expect-error: CommonJS
export { matchers } from "./vitest.cts";
