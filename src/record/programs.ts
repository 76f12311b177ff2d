/** Where the programs lie that run beside a recorder: they are started as built, also by who runs from source. */
import { join } from "node:path";
import { home } from "../home.ts";

/** @param name of the module, without its ending: `keeper` */
export const builtProgram = (name: string): string => join(home, "dist", "src", "record", `${name}.js`);
