/** `touchstone check`: judges cassettes and HAR files. */
import type { CommandModule } from "yargs";

export const command: CommandModule = {
  command: "check <files..>",
  describe: "Judge cassettes and HAR files",
  handler() {},
};
