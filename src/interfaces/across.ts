/** Laws on one conversation in several interfaces of a target, such as a gateway; by interface. */

import type { Law } from "../check/law.ts";
import { pathOf } from "../wire/target.ts";
import { editChoices } from "./chat-completions/examples/spoil.ts";
import { factsOf as chatFacts } from "./chat-completions/laws.ts";
import { sameConversation } from "./common/laws/conversation.ts";
import type { ReadFacts } from "./common/laws/facts.ts";
import { spoilAt } from "./common/laws/spoil.ts";
import { editCandidate } from "./generate-content/examples/spoil.ts";
import { factsOf as generateFacts } from "./generate-content/laws.ts";
import { editStop, factsOf as messageFacts } from "./messages/laws.ts";

const reads: Readonly<Record<string, ReadFacts>> = {
  "chat-completions": chatFacts,
  messages: messageFacts,
  "generate-content": generateFacts,
};

const read: ReadFacts = (subject) => reads[subject.interface]?.(subject);

const law = (of: string, spoil: Law["spoil"]): readonly Law[] => [
  sameConversation(`${of}.laws.same-conversation`, of, read, of !== "messages", spoil),
];

const at = (ending: string, change: Parameters<typeof spoilAt>[1]): Law["spoil"] =>
  spoilAt(({ request }) => pathOf(request.target).endsWith(ending), change);

/** Each says of a reply that was cut off that it ended by itself. */
export const lawsAcross = {
  chat: law(
    "chat-completions",
    at("/chat/completions", (one) => editChoices(one, (choice) => void (choice.finish_reason = "stop"))),
  ),
  messages: law(
    "messages",
    at("/messages", (one) => editStop(one, "end_turn")),
  ),
  generate: law(
    "generate-content",
    at(":generateContent", (one) =>
      editCandidate(one, (candidate) => {
        candidate.finishReason = "STOP";
        return true;
      }),
    ),
  ),
};
