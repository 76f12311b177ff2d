/** A process that serves a client library as a gateway, and says where. */
import { namesFrom } from "../../check/names.ts";
import { openInterfaces } from "../../interfaces/open-interfaces.ts";
import { loadAll } from "../../run/clients/packages.ts";
import { quietly } from "../../run/clients/quietly.ts";
import { noChange } from "../translate/translate.ts";
import type { FromLibrary, LibrarySettings } from "./find.ts";
import { libraries } from "./libraries.ts";
import { serveLibrary } from "./serve.ts";

const { name, folder, route, upstream, listen } = JSON.parse(process.argv[2]!) as LibrarySettings;
const library = libraries.find((one) => one.name === name)!;
const tell = (message: FromLibrary): void => void process.send!(message);

process.on("disconnect", () => process.exit(0));
const loaded = await loadAll(library.packages[route.to]!, folder);
const problem = "problem" in loaded ? loaded.problem : library.misfit?.(loaded.version);
if (problem !== undefined || "problem" in loaded) tell({ problem: problem ?? "its packages cannot be loaded" });
else {
  const server = await serveLibrary({
    ...{ library, route, upstream, listen, catalogue: await openInterfaces(), sdk: loaded.sdk },
    ...{ names: namesFrom(), change: noChange, now: () => Math.floor(Date.now() / 1000) },
  });
  // Services that trace calls stay off as long as the process lives.
  void quietly(() => new Promise<never>(() => undefined));
  tell({ url: server.url, version: loaded.version });
}
