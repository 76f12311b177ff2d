/** Tells facts that a client library has no word for, or warns of, from those that it loses. */
import type { RequestFacts } from "../../interfaces/common/facts/model.ts";
import type { Exchange } from "../../wire/exchange.ts";
import type { Library } from "../library/library.ts";
import type { FactComparison } from "../trip.ts";
import { noCounterpart, notShown, type Verdict } from "./ends.ts";
import { isNamed } from "./refusals.ts";

/** The warnings of an answer: texts of `Warning` headers. */
const warningsOf = ({ response }: Exchange): readonly string[] =>
  (response?.headers ?? []).flatMap(([name, value]) => {
    const [, text] = name.toLowerCase() === "warning" ? (/^299 \S+ "(.*)"$/.exec(value) ?? []) : [];
    return text === undefined ? [] : [text.replace(/\\(.)/g, "$1")];
  });

/** Names of libraries are those of members, in one word. */
const inWords = (text: string): string => text.replace(/([a-z])([A-Z])/g, "$1_$2");

/** Whether a request asks for tools that a driver cannot declare: choices among them arrive alone. */
const hasOtherTools = ({ settings }: RequestFacts): boolean =>
  ["tools.built-in", "code-execution", "web-search"].some((fact) => fact in settings);

const ofTools = new Set(["tools.choice", "tools.parallel"]);

/** The outcomes of a trip through a library. @param client its exchange with the library */
export function throughLibrary(
  { name, asks, wordless }: Library,
  compared: readonly FactComparison[],
  asked: RequestFacts,
  to: string,
  client: Exchange,
): FactComparison[] {
  const warnings = warningsOf(client);
  const lacks = wordless(asked, to);
  const asksFor = new Set(asks[to]);
  function verdictOn({ fact, side, outcome, asked: value }: FactComparison): Verdict | undefined {
    if (side !== "request" || value === undefined) return undefined;
    const lacking = lacks[fact];
    if (outcome !== "kept" && lacking !== undefined) return noCounterpart(`${name} has no word for it. ${lacking}`);
    if (!asksFor.has(fact) && lacking === undefined) return notShown("touchstone does not ask the library for it.");
    if (outcome === "kept" || outcome === "not-shown") return undefined;
    if (ofTools.has(fact) && hasOtherTools(asked)) return notShown("Its tools are none that touchstone declares.");
    const warning = warnings.find((text) => isNamed(text, fact) || isNamed(inWords(text), fact));
    return warning === undefined ? undefined : { outcome: "refused", why: `${name} warns of it: ${warning}` };
  }
  return compared.map((one) => {
    const verdict = verdictOn(one);
    const { conversion: _, why: _why, ...bare } = one;
    return verdict ? { ...bare, ...verdict } : one;
  });
}
