/** All faults of the small server. */
import type { Fault } from "./fault.ts";
import { chatReplies } from "./faults/chat-replies.ts";
import { chatRequests } from "./faults/chat-requests.ts";
import { chatStreams } from "./faults/chat-streams.ts";
import { clients } from "./faults/clients.ts";
import { generateReplies } from "./faults/generate-replies.ts";
import { generateRequests } from "./faults/generate-requests.ts";
import { ignored } from "./faults/ignored.ts";
import { images } from "./faults/images.ts";
import { laws } from "./faults/laws.ts";
import { messagesReplies } from "./faults/messages-replies.ts";
import { messagesRequests } from "./faults/messages-requests.ts";
import { messagesStreams } from "./faults/messages-streams.ts";
import { plausible } from "./faults/plausible.ts";
import { streamTexts } from "./faults/stream-texts.ts";

export const faults: readonly Fault[] = [
  ...chatReplies,
  ...chatStreams,
  ...chatRequests,
  ...messagesReplies,
  ...messagesStreams,
  ...messagesRequests,
  ...generateReplies,
  ...generateRequests,
  ...images,
  ...plausible,
  ...clients,
  ...laws,
  ...streamTexts,
  ...ignored,
];
