/** The readers of facts of each interface. Nothing that judges conformance may use it. */
import type { Subject } from "../check/subject.ts";
import type { Exchange } from "../wire/exchange.ts";
import { answerFacts as chatAnswer } from "./chat-completions/facts/answer.ts";
import { requestFacts as chatRequest } from "./chat-completions/facts/request.ts";
import type { AnswerFacts, RequestFacts } from "./common/facts/model.ts";
import { answerFacts as generateAnswer } from "./generate-content/facts/answer.ts";
import { withListedEvents } from "./generate-content/facts/listed.ts";
import { requestFacts as generateRequest } from "./generate-content/facts/request.ts";
import { answerFacts as imagesAnswer } from "./images/facts/answer.ts";
import { requestFacts as imagesRequest } from "./images/facts/request.ts";
import { answerFacts as messagesAnswer } from "./messages/facts/answer.ts";
import { requestFacts as messagesRequest } from "./messages/facts/request.ts";

/** Both are pure and take any exchange of their interface; undefined where there is nothing to read. */
export interface FactReader {
  readonly request: (subject: Subject) => RequestFacts | undefined;
  readonly answer: (subject: Subject) => AnswerFacts | undefined;
  /** The exchange in the form that both read, where services answer in another one. */
  readonly asRead?: (exchange: Exchange) => Exchange;
}

/** By the name of the interface. */
export const factReaders: Readonly<Record<string, FactReader>> = {
  "chat-completions": { request: chatRequest, answer: chatAnswer },
  messages: { request: messagesRequest, answer: messagesAnswer },
  "generate-content": { request: generateRequest, answer: generateAnswer, asRead: withListedEvents },
  images: { request: imagesRequest, answer: imagesAnswer },
};
