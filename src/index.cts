/** The library for `require()`. The compiler options expect exports of ES modules alone, so each of these is marked. */
import type * as Library from "./index.ts" with { "resolution-mode": "import" };
// @ts-expect-error: CommonJS
import { load, outside } from "./outside.cts";
import type * as Intercept from "./play/intercept.ts" with { "resolution-mode": "import" };

export type * from "./index.ts" with { "resolution-mode": "import" };
export type UserError = Library.UserError;

const library: typeof Library = load("./index.js");
const { interceptIn }: typeof Intercept = load("./play/intercept.js");

// @ts-expect-error: CommonJS
export const { cases, check, play, readCassette, record, run, serve, UserError } = library;
/** Calls the `fetch` of a sandbox by default. */
// @ts-expect-error: CommonJS
export const watch: typeof Library.watch = (fetch = globalThis.fetch) => library.watch(fetch);
/** Redirects the requests of a sandbox, too. */
// @ts-expect-error: CommonJS
export const intercept: typeof Library.intercept = (hosts) => interceptIn([outside, globalThis], hosts);
