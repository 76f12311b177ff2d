/** All faults of the small server. */
import type { Fault } from "./fault.ts";
import { chatReplies } from "./faults/chat-replies.ts";
import { chatRequests } from "./faults/chat-requests.ts";
import { chatStreams } from "./faults/chat-streams.ts";
import { generateReplies } from "./faults/generate-replies.ts";
import { generateRequests } from "./faults/generate-requests.ts";
import { images } from "./faults/images.ts";
import { messagesReplies } from "./faults/messages-replies.ts";
import { messagesRequests } from "./faults/messages-requests.ts";
import { messagesStreams } from "./faults/messages-streams.ts";

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
];
