/**
 * Has `fetch` use the proxy that the environment names, in programs of a Node that does not do so by itself: those before 22.21 and 24.
 * A recorder loads it by NODE_OPTIONS, before the program. It is CommonJS, which all of them load so.
 */

import type { Dispatcher } from "undici" with { "resolution-mode": "import" };

/** Where `fetch` looks for what sends its requests. */
const place = Symbol.for("undici.globalDispatcher.1");

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const isNative = major >= 24 || (major === 22 && minor >= 21);
/** Its releases before that lack what the agent needs. */
const isTooOld = major < 20 || (major === 20 && minor < 18);

if (!isNative && !isTooOld && !(place in globalThis)) {
  let agent: Dispatcher | undefined;
  const dispatch: Dispatcher["dispatch"] = (options, handler) => {
    // Loaded with the first request: most programs that this is loaded into send none.
    const { EnvHttpProxyAgent }: typeof import("undici", { with: { "resolution-mode": "import" }}) = require("undici");
    agent ??= new EnvHttpProxyAgent();
    return agent.dispatch(options, handler);
  };
  Object.defineProperty(globalThis, place, { value: { dispatch }, writable: true, configurable: true });
}
