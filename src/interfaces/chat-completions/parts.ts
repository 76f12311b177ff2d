/** Rules on what content parts carry: addresses and base64 data. */
import type { Grade } from "../../check/clause.ts";
import type { Fault, Rule } from "../../check/rule.ts";
import { isObject, type Subject } from "../../check/subject.ts";
import { editJson } from "../../wire/edit.ts";
import { imageFacts } from "../../wire/image.ts";
import type { Editable } from "./deprecated.ts";
import { base64Kind, dataAddress } from "./encoded.ts";
import { partsOf } from "./walk.ts";

interface Carried {
  readonly pointer: string;
  readonly text: string;
}

/** The texts at `type`.`member` of all parts of a type in user messages. */
function carried(subject: Subject, type: string, member: string): Carried[] {
  return partsOf(subject).flatMap(({ pointer, role, type: is, part }) => {
    const inner = part[type];
    const text = role === "user" && is === type && isObject(inner) ? inner[member] : undefined;
    return typeof text === "string" ? [{ pointer: `${pointer}/${type}/${member}`, text }] : [];
  });
}

/** Builds a rule over such texts; `wrong` is a text that fails. */
function carriedRule(
  clause: string,
  [type, member]: readonly [string, string],
  judge: (text: string) => Pick<Fault, "expected" | "reading"> | undefined,
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

const graded = (id: string, byDefault: Grade["default"]): Grade => ({ id, default: byDefault, strict: "error" });

function base64Fault(text: string, expected: string): Pick<Fault, "expected" | "reading"> | undefined {
  const kind = base64Kind(text);
  if (kind === "broken") return { expected };
  return kind === "loose"
    ? { expected: "the standard base64 alphabet, padded", reading: graded("X-BASE64", "warning") }
    : undefined;
}

/** Whether base64 text holds an image of a format we know by its first bytes. */
const holdsImage = (base64: string): boolean =>
  imageFacts(Buffer.from(base64.slice(0, 4096), "base64")).format !== "unknown";

function imageFault(text: string): Pick<Fault, "expected" | "reading"> | undefined {
  if (/^https?:\/\/[^\s/]/i.test(text)) return undefined;
  const data = dataAddress(text);
  if (data) {
    const { base64 } = data;
    if (base64 !== undefined && base64Kind(base64) === "broken")
      return { expected: "base64 image data", reading: graded("C-IMAGE-B64", "warning") };
    return base64 !== undefined && holdsImage(base64)
      ? undefined
      : { expected: "the data of an image", reading: graded("C-IMAGE-B64", "off") };
  }
  const raw = base64Kind(text) !== "broken";
  return { expected: "an http(s): or data: address", reading: graded("C-IMAGE-B64", raw ? "off" : "warning") };
}

function fileFault(text: string): Pick<Fault, "expected" | "reading"> | undefined {
  const data = dataAddress(text);
  if (!data && /^https?:\/\//i.test(text))
    return { expected: "base64 data, not an address", reading: graded("C-IMAGE-B64", "warning") };
  return base64Fault(data ? (data.base64 ?? "") : text, "base64 data");
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
