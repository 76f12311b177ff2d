/** The parts of undici that send requests. Loading all of it takes four times as long, which every start of a run would pay. */
import { createRequire } from "node:module";
import type undici from "undici";

const load = createRequire(import.meta.url);

/** A part by its file; another version of undici may keep it elsewhere, but exports it all the same. */
function partOf<Name extends "Client" | "buildConnector">(file: string, name: Name): (typeof undici)[Name] {
  try {
    return load(`undici/lib/${file}`);
  } catch {
    return load("undici")[name];
  }
}

export const Client = partOf("dispatcher/client.js", "Client");
export const buildConnector = partOf("core/connect.js", "buildConnector");
