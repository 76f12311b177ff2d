/** Finds how a gateway asks for a form of the reply where the interface of the upstream has no word for it. */
import type { Tool } from "../../interfaces/common/facts/model.ts";
import { type Ends, upstreamHas } from "./ends.ts";

const isAsked = (ends: Ends): boolean => {
  const form = ends.asked.output?.form;
  return form !== undefined && form !== "text" && !upstreamHas(ends, "structured-output");
};

/** Whether a text asks for JSON in words, in place of a form that the upstream has no word for. */
export const asksInOtherWords = (ends: Ends, text: string): boolean => isAsked(ends) && /json|schema/i.test(text);

/** The tool that stands for the form of the reply: one that nobody declared, and that must be called. */
export function emulatingTool(ends: Ends): Tool | undefined {
  if (!isAsked(ends)) return undefined;
  const declared = new Set(ends.asked.tools?.map(({ name }) => name));
  return ends.arrived.tools?.find(({ name }) => !declared.has(name));
}
