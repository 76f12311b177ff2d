/** Rules on what content parts carry: addresses and base64 data. */

import { strictOnly, warns } from "../../../check/clause.ts";
import type { Fault, Rule } from "../../../check/rule.ts";
import type { Subject } from "../../../check/subject.ts";
import { base64Problem } from "../../../wire/base64.ts";
import { editJson } from "../../../wire/edit.ts";
import { imageFacts } from "../../../wire/image.ts";
import { isObject } from "../../../wire/json.ts";
import { base64Departure } from "../../common/base64.ts";
import type { Editable } from "../reading/deprecated.ts";
import { partsOf } from "../reading/messages.ts";

interface Carried {
  readonly pointer: string;
  readonly text: string;
}

/** The texts at `type`.`member` of all parts of a type in user messages. */
function carried(subject: Subject, type: string, member: string): Carried[] {
  const parts = partsOf(subject);
  if (parts.length === 0) return [];
  return parts.flatMap(({ pointer, role, type: is, part }) => {
    const inner = part[type];
    const text = role === "user" && is === type && isObject(inner) ? inner[member] : undefined;
    return typeof text === "string" ? [{ pointer: `${pointer}/${type}/${member}`, text }] : [];
  });
}

/** Builds a rule over such texts; `wrong` is a text that fails. */
function carriedRule(
  clause: string,
  [type, member]: readonly [string, string],
  judge: (text: string) => PartFault | undefined,
  wrong: string,
): Rule {
  return {
    clause,
    applies: (subject) => carried(subject, type, member).length > 0,
    *check(subject) {
      for (const { pointer, text } of carried(subject, type, member)) {
        const fault = judge(text);
        if (fault) yield { side: "request", in: "body", pointer, actual: text, ...fault };
      }
    },
    spoil: (exchange) =>
      editJson(exchange, "request", ({ messages }: { messages: Editable[] }) => {
        for (const { role, content } of messages)
          for (const part of role === "user" && Array.isArray(content) ? (content as Editable[]) : []) {
            const inner = part[type];
            if (part["type"] === type && isObject(inner) && typeof inner[member] === "string") {
              inner[member] = wrong;
              return;
            }
          }
      }),
  };
}

type PartFault = Pick<Fault, "expected" | "hint" | "reading">;

function base64Fault(text: string, expected: string): PartFault | undefined {
  const problem = base64Problem(text);
  if (problem) return { expected, hint: problem };
  const departure = base64Departure(text);
  return departure && { expected: "canonical base64", ...departure };
}

/** A `data:` address and its base64 text, where that is how it is written; undefined for a text that is no such address. */
function dataAddress(text: string): { readonly base64: string | undefined } | undefined {
  const head = /^data:[^,]{0,200},/i.exec(text)?.[0];
  return head === undefined ? undefined : { base64: /;base64,$/i.test(head) ? text.slice(head.length) : undefined };
}

/** Whether base64 text holds an image of a format we know by its first bytes. */
const holdsImage = (base64: string): boolean =>
  imageFacts(Buffer.from(base64.slice(0, 4096), "base64")).format !== "unknown";

function imageFault(text: string): PartFault | undefined {
  if (/^https?:\/\/[^\s/]/i.test(text)) return undefined;
  const address = dataAddress(text);
  const base64 = address ? address.base64 : text;
  const problem = base64 === undefined ? undefined : base64Problem(base64);
  if (problem)
    return {
      expected: "an http(s): address, a data: address or base64 image data",
      ...(address && { hint: problem }),
      reading: warns("C-IMAGE-B64"),
    };
  if (address?.base64 !== undefined && holdsImage(address.base64)) return undefined;
  const expected = address ? "the data of an image in base64" : "an http(s): or data: address";
  return { expected, reading: strictOnly("C-IMAGE-B64") };
}

function fileFault(text: string): PartFault | undefined {
  const address = dataAddress(text);
  if (!address && /^https?:\/\//i.test(text))
    return { expected: "base64 data, not an address", reading: warns("C-IMAGE-B64") };
  const base64 = address ? address.base64 : text;
  return base64 === undefined
    ? { expected: "base64 data", reading: strictOnly("X-BASE64") }
    : base64Fault(base64, "base64 data");
}

export const rules: readonly Rule[] = [
  carriedRule("chat-completions.conversation.image-url-form", ["image_url", "url"], imageFault, "no address at all"),
  carriedRule(
    "chat-completions.conversation.input-audio-data-base64",
    ["input_audio", "data"],
    (text) => base64Fault(text, "base64 audio data"),
    "*no base64*",
  ),
  carriedRule("chat-completions.conversation.file-data-base64", ["file", "file_data"], fileFault, "*no base64*"),
];
