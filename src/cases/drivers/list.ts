/** The drivers that `touchstone client NAME` knows. */
import { aiDrivers } from "./ai.ts";
import { anthropicDrivers } from "./anthropic.ts";
import type { Driver } from "./driver.ts";
import { eventSourceDrivers } from "./event-sources.ts";
import { googleDrivers } from "./google.ts";
import { langchainDrivers } from "./langchain.ts";
import { openaiDrivers } from "./openai.ts";
import { parserDrivers } from "./parsers.ts";

export const drivers: readonly Driver[] = [
  ...openaiDrivers,
  ...anthropicDrivers,
  ...googleDrivers,
  ...aiDrivers,
  ...langchainDrivers,
  ...parserDrivers,
  ...eventSourceDrivers,
];
