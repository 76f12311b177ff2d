/** All cases, and how to find some of them. */
import { didYouMean } from "../check/suggest.ts";
import { UserError } from "../user-error.ts";
import type { Case } from "./case.ts";
import * as chat from "./chat-completions/contents.ts";
import * as chatOdd from "./chat-completions/odd.ts";
import { callOddities } from "./chat-completions/odd-calls.ts";
import * as cuts from "./common/cuts.ts";
import * as failures from "./common/failures.ts";
import * as origins from "./common/origins.ts";
import { plain } from "./common/plain.ts";
import * as stream from "./common/stream.ts";
import * as transfer from "./common/transfer.ts";
import * as generate from "./generate-content/contents.ts";
import * as generateOdd from "./generate-content/odd.ts";
import * as images from "./images/contents.ts";
import type { InterfaceName } from "./interface-names.ts";
import * as messages from "./messages/contents.ts";
import * as messagesOdd from "./messages/odd.ts";

/** In the order in which reports list them. */
export const allCases: readonly Case[] = [
  plain,
  ...stream.spellings,
  ...stream.cuts,
  ...stream.sizes,
  ...stream.paces,
  ...transfer.codings,
  ...transfer.framings,
  ...transfer.heads,
  ...transfer.wholes,
  ...chat.texts,
  ...chat.toolCalls,
  ...messages.texts,
  ...messages.toolCalls,
  ...generate.texts,
  ...generate.toolCalls,
  ...images.contents,
  ...chatOdd.chunkOddities,
  ...chatOdd.endOddities,
  ...callOddities,
  ...chatOdd.wholeOddities,
  ...messagesOdd.oddities,
  ...generateOdd.oddities,
  ...failures.successes,
  ...failures.statuses,
  ...failures.bodies,
  ...cuts.breaks,
  ...cuts.cleanEnds,
  ...cuts.wrongBytes,
  ...cuts.errorEvents,
  ...origins.redirects,
  ...origins.endlessAnswers,
];

const byId = new Map(allCases.map((one) => [one.id, one]));

/** The case of an id; UserError where there is none. */
export function caseNamed(id: string): Case {
  const found = byId.get(id);
  if (found) return found;
  throw new UserError(
    `there is no case ${id}`,
    `${didYouMean(id, [...byId.keys()])}\`touchstone client --list\` lists the cases.`,
  );
}

/** Cases of an interface whose id one of the patterns matches; all of them without a pattern. */
export const casesOf = (name: InterfaceName, patterns: readonly string[] = []): readonly Case[] =>
  allCases.filter(
    ({ id, interfaces }) =>
      interfaces.includes(name) && (patterns.length === 0 || patterns.some((one) => matches(id, one))),
  );

/** Whether a pattern such as `stream/*` or `*429*` matches an id: `*` stands for any text. */
export function matches(id: string, pattern: string): boolean {
  const expression = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${expression.join(".*")}$`).test(id);
}
