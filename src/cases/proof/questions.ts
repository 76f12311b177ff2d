/** The questions of the proof client, in each interface. */

import { proofReader as chatReader } from "../chat-completions/proof-reader.ts";
import { question as chatQuestion } from "../chat-completions/question.ts";
import type { Assignment } from "../client-under-test.ts";
import { proofReader as generateReader } from "../generate-content/proof-reader.ts";
import { question as generateQuestion } from "../generate-content/question.ts";
import { proofReader as imagesReader } from "../images/proof-reader.ts";
import { question as imagesQuestion } from "../images/question.ts";
import type { InterfaceName } from "../interface-names.ts";
import { proofReader as messagesReader } from "../messages/proof-reader.ts";
import { question as messagesQuestion } from "../messages/question.ts";
import type { Has } from "./faults.ts";
import type { AnswerReader } from "./reading.ts";

/** A question as a client without a library asks it. */
export interface Question {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

export const readers: Readonly<Record<InterfaceName, (has: Has) => AnswerReader>> = {
  "chat-completions": chatReader,
  messages: messagesReader,
  "generate-content": generateReader,
  images: imagesReader,
};

export const questions: Readonly<Record<InterfaceName, (assignment: Assignment) => Question>> = {
  "chat-completions": chatQuestion,
  messages: messagesQuestion,
  "generate-content": generateQuestion,
  images: imagesQuestion,
};
