/**
 * The library for jest of CommonJS, as ts-jest has it. jest loads no ES modules there, so Node loads them outside its sandbox.
 * Importing this adds `toConform()` to the global `expect`.
 */

import type * as Library from "./index.ts" with { "resolution-mode": "import" };
import type * as Matchers from "./matchers.ts" with { "resolution-mode": "import" };
import type * as Intercept from "./play/intercept.ts" with { "resolution-mode": "import" };

/** What a test file of jest has in its own globals. */
interface TestGlobals {
  readonly beforeAll?: (prepare: () => Promise<void>, timeout: number) => void;
  readonly expect?: { extend?(added: { readonly toConform: Matchers.ToConform }): void };
}

const vm: typeof import("node:vm") = require("node:vm");

/** The globals of Node, of which the sandbox has copies. */
const outside: typeof globalThis & { readonly process: NodeJS.Process } = vm.runInThisContext("globalThis");
const load = outside.process.getBuiltinModule("node:module").createRequire(__filename);

const library: typeof Library = load("./index.js");
const { openToConform }: typeof Matchers = load("./matchers.js");
const { interceptIn }: typeof Intercept = load("./play/intercept.js");

let opened: Matchers.ToConform | undefined;
async function open(): Promise<Matchers.ToConform> {
  opened = await openToConform();
  return opened;
}

// Before the first test, so that exchanges in memory are judged at once, and no test can forget to wait for that.
const { beforeAll, expect } = globalThis as TestGlobals;
beforeAll?.(async () => {
  await open();
}, 60_000);

const toConform: Matchers.ToConform = (received: unknown, options?: Matchers.ConformOptions) =>
  opened ? opened(received, options) : open().then((matcher) => matcher(received, options));

const matchers = { toConform };
expect?.extend?.(matchers);

const entry: typeof Library & { readonly matchers: { readonly toConform: Matchers.ToConform } } = {
  ...library,
  matchers,
  watch: (fetch = globalThis.fetch) => library.watch(fetch),
  intercept: (hosts) => interceptIn([outside, globalThis], hosts),
};

declare namespace entry {
  type Exchange = Library.Exchange;
  type Player = Library.Player;
  type ReferenceServer = Library.ReferenceServer;
}

// @ts-expect-error: this cannot be erased as types can, but nothing else declares what a CommonJS module is.
export = entry;
