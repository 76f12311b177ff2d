/** The client libraries that can be asked. */
import { ai } from "./ai.ts";
import type { Library } from "./library.ts";

export const libraries: readonly Library[] = [ai];
