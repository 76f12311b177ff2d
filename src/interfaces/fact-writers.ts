/** The writers of facts in the words of each interface: the half of a translator that knows where it goes. */
import type { WireRequest } from "../wire/exchange.ts";
import { createDecoder as chatDecoder } from "./chat-completions/facts/decode.ts";
import * as chatAnswer from "./chat-completions/facts/write-answer.ts";
import { writeRequest as chatRequest } from "./chat-completions/facts/write-request.ts";
import type { AnswerFacts, ErrorFacts, RequestFacts } from "./common/facts/model.ts";
import type { StreamDecoder, StreamEncoder, Written, WrittenError } from "./common/facts/write.ts";
import { createDecoder as generateDecoder } from "./generate-content/facts/decode.ts";
import * as generateAnswer from "./generate-content/facts/write-answer.ts";
import { writeRequest as generateRequest } from "./generate-content/facts/write-request.ts";
import * as images from "./images/facts/write.ts";
import { createDecoder as messagesDecoder } from "./messages/facts/decode.ts";
import * as messagesAnswer from "./messages/facts/write-answer.ts";
import { writeRequest as messagesRequest } from "./messages/facts/write-request.ts";

export interface FactWriter {
  /** A request, without a key. */
  readonly writeRequest: (facts: RequestFacts) => WireRequest;
  /** The JSON body of a whole reply. */
  readonly writeAnswer: (answer: AnswerFacts, written: Written) => object;
  readonly writeError: (error: ErrorFacts) => WrittenError;
  readonly createDecoder: () => StreamDecoder;
  /** `asksUsage`: whether the client asked its stream for usage. */
  readonly createEncoder: (written: Written, asksUsage: boolean) => StreamEncoder;
}

/** By the name of the interface. */
export const factWriters: Readonly<Record<string, FactWriter>> = {
  "chat-completions": { ...chatAnswer, writeRequest: chatRequest, createDecoder: chatDecoder },
  messages: { ...messagesAnswer, writeRequest: messagesRequest, createDecoder: messagesDecoder },
  images,
  "generate-content": { ...generateAnswer, writeRequest: generateRequest, createDecoder: generateDecoder },
};
