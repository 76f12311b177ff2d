/** Escapes the sandbox in which jest runs CommonJS. The `require()` of the sandbox cannot load ES modules. The one of Node can. */
const vm: typeof import("node:vm") = require("node:vm");

/** The globals of Node. The sandbox has copies of them. */
// @ts-expect-error: CommonJS
export const outside: typeof globalThis & { readonly process: NodeJS.Process } = vm.runInThisContext("globalThis");
/** The `require()` of Node, for paths from this folder. */
// @ts-expect-error: CommonJS
export const load: NodeJS.Require = outside.process.getBuiltinModule("node:module").createRequire(__filename);
