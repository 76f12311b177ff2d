/** Reads what a request asks of the reference implementation: texts, directives, functions, options. */

import type { Subject } from "../../check/subject.ts";
import { itemsOf, memberOf, objectsIn } from "../../interfaces/generate-content/reading/reply.ts";
import { modelOf } from "../../interfaces/generate-content/request.ts";
import { isObject } from "../../wire/json.ts";
import { directivesIn } from "../directives.ts";

type Json = Readonly<Record<string, unknown>>;

export interface Instructions {
  readonly model: string;
  readonly directives: ReadonlyMap<string, string>;
  /** The last user text without its directives. */
  readonly text: string;
  /** All texts of the prompt. */
  readonly prompt: string;
  /** MIME types of the media sent. */
  readonly media: readonly string[];
  readonly config: Json;
  /** Declared functions by name, with their parameters. */
  readonly functions: ReadonlyMap<string, unknown>;
  readonly mode: string;
  readonly allowed: readonly string[];
  readonly runsCode: boolean;
  /** Whether a tool searches the web, or reads addresses of the prompt: tools of the vendor that the document does not list. */
  readonly searches: boolean;
  readonly readsAddresses: boolean;
  readonly thresholds: ReadonlyMap<string, string>;
  readonly cached: boolean;
  /** Name of the function whose response ends the conversation. */
  readonly answered: string | undefined;
}

/** The request as instructions; a body of any shape gives some. */
export function instructionsIn(subject: Subject): Instructions {
  const body = subject.requestJson;
  const contents = objectsIn(body["contents"]).map(({ value }) => value);
  const partsOf = (content: Json): Json[] => objectsIn(content["parts"]).map(({ value }) => value);
  const contentText = (content: Json): string =>
    partsOf(content)
      .flatMap(({ text }) => (typeof text === "string" ? [text] : []))
      .join("\n");
  const last = contents.findLast((content) => (content["role"] ?? "user") === "user" && contentText(content) !== "");
  const tools = objectsIn(body["tools"]).map(({ value }) => value);
  const calling = memberOf(memberOf(body, "toolConfig"), "functionCallingConfig");
  const system = isObject(body["systemInstruction"]) ? [body["systemInstruction"]] : [];
  const answer =
    contents.length > 0 ? partsOf(contents.at(-1)!).find((part) => isObject(part["functionResponse"])) : undefined;
  const said = last ? contentText(last) : "";
  return {
    model: modelOf(subject) ?? "",
    directives: directivesIn(said),
    text: said.replace(/\s*\[\[[^\]]*\]\]/g, "").trim(),
    prompt: [...system, ...contents].map(contentText).join("\n"),
    media: contents.flatMap(partsOf).flatMap((part) => {
      const { mimeType } = memberOf(part, "inlineData");
      return typeof mimeType === "string" ? [mimeType] : [];
    }),
    config: memberOf(body, "generationConfig"),
    functions: new Map(
      tools.flatMap((tool) =>
        objectsIn(tool["functionDeclarations"]).flatMap(({ value: { name, parameters } }) =>
          typeof name === "string" && name !== "" ? [[name, parameters] as const] : [],
        ),
      ),
    ),
    mode: String(calling["mode"] ?? "MODE_UNSPECIFIED"),
    allowed: itemsOf(calling["allowedFunctionNames"]).filter((name) => typeof name === "string"),
    runsCode: tools.some((tool) => isObject(tool["codeExecution"])),
    searches: tools.some((tool) => isObject(tool["googleSearch"])),
    readsAddresses: tools.some((tool) => isObject(tool["urlContext"])),
    thresholds: new Map(
      objectsIn(body["safetySettings"]).map(({ value }) => [String(value["category"]), String(value["threshold"])]),
    ),
    cached: typeof body["cachedContent"] === "string",
    answered: answer && String(memberOf(answer, "functionResponse")["name"]),
  };
}

/** An integer option, or undefined. */
export function integerIn({ config }: Instructions, name: string): number | undefined {
  const value = config[name];
  return typeof value === "number" && Number.isInteger(value) ? value : undefined;
}
