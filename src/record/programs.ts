/** The paths of the programs that run beside a recorder. They are started as built, even from source. */
import { join } from "node:path";
import { home } from "../home.ts";

/** @param name of the module, without its ending: `keeper` */
export const builtProgram = (name: string): string => join(home, "dist", "src", "record", `${name}.js`);
