/** The messages of a chat request as rules walk them: well-shaped ones only, each with its place. */

import { remember, type Subject } from "../../../check/subject.ts";
import { isObject } from "../../../wire/json.ts";

type Members = Readonly<Record<string, unknown>>;

export interface PlacedMessage {
  readonly pointer: string;
  readonly role: string;
  readonly message: Members;
}

export interface PlacedPart {
  readonly pointer: string;
  readonly role: string;
  readonly type: string;
  readonly part: Members;
}

function readMessages(subject: Subject): readonly PlacedMessage[] {
  const { messages } = subject.requestJson;
  if (!Array.isArray(messages)) return [];
  const placed: PlacedMessage[] = [];
  for (let i = 0; i < messages.length; i++) {
    const message: unknown = messages[i];
    if (isObject(message) && typeof message["role"] === "string")
      placed.push({ pointer: `/messages/${i}`, role: message["role"], message });
  }
  return placed;
}

/** Every message that is an object with a role. */
export const messagesOf: (subject: Subject) => readonly PlacedMessage[] = remember(readMessages);

function readParts(subject: Subject): readonly PlacedPart[] {
  const placed: PlacedPart[] = [];
  for (const { pointer: at, role, message } of messagesOf(subject)) {
    const content: unknown = message["content"];
    if (!Array.isArray(content)) continue;
    for (let i = 0; i < content.length; i++) {
      const part: unknown = content[i];
      if (isObject(part) && typeof part["type"] === "string")
        placed.push({ pointer: `${at}/content/${i}`, role, type: part["type"], part });
    }
  }
  return placed;
}

/** Every content part that is an object with a type, of all messages. */
export const partsOf: (subject: Subject) => readonly PlacedPart[] = remember(readParts);

/** Every text of the conversation: contents that are strings, and text parts. */
export function textsOf(subject: Subject): readonly string[] {
  return [
    ...messagesOf(subject).map(({ message }) => message["content"]),
    ...partsOf(subject).map(({ part }) => part["text"]),
  ].filter((text) => typeof text === "string");
}
