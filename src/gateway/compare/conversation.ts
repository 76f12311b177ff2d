/** Compares system texts and the turns of a conversation. */
import type { RequestFacts, Turn } from "../../interfaces/common/facts/model.ts";
import type { FactComparison } from "../trip.ts";
import { asksInOtherWords } from "./emulated.ts";
import { changed, converted, dropped, type Ends, gone, invented, kept, told, type Verdict } from "./ends.ts";
import { compareTexts } from "./values.ts";

/** A turn's texts; turns of one role in a row are one, and those without text are left out. */
interface TextTurn {
  readonly role: Turn["role"];
  readonly texts: readonly string[];
  /** The number of messages with text that it is made of. */
  readonly messages: number;
}

function textTurns({ turns }: RequestFacts): readonly TextTurn[] {
  const merged: { role: Turn["role"]; texts: string[]; messages: number }[] = [];
  for (const { role, parts } of turns) {
    const texts = parts.flatMap((part) => (part.kind === "text" || part.kind === "refusal" ? [part.text] : []));
    if (texts.every((text) => text === "")) continue;
    const last = merged.at(-1);
    if (last?.role === role) {
      last.texts.push(...texts);
      last.messages++;
    } else merged.push({ role, texts: [...texts], messages: 1 });
  }
  return merged;
}

const shown = (turns: readonly TextTurn[]): unknown => turns.map(({ role, texts }) => ({ role, text: texts.join("") }));

const spaces = (ends: Ends): Verdict =>
  converted(ends, "G-FACT-PARTS", "Parts of the text are joined with other white space.");

function systemVerdict(ends: Ends): Verdict | undefined {
  const [asked, arrived] = [ends.asked.system, ends.arrived.system];
  if (asked.length === 0 && arrived.length === 0) return undefined;
  if (asked.length === 0)
    return asksInOtherWords(ends, arrived.join(""))
      ? converted(ends, "G-FACT-EMULATED", "The form of the reply is asked for in words.")
      : invented("Nobody gave a system text.");
  if (arrived.length === 0) {
    const first = textTurns(ends.arrived)[0]?.texts.join("") ?? "";
    return first.includes(asked[0]!) ? changed("It arrived as a text of the conversation.") : gone(ends, "system");
  }
  const joined = compareTexts(asked, arrived);
  if (joined === "same")
    return asked.length > 1 && arrived.length === 1
      ? converted(ends, "G-FACT-SYSTEM", `${asked.length} system texts became one.`)
      : kept;
  if (joined === "spaced")
    return asked.length > 1
      ? converted(ends, "G-FACT-SYSTEM", `${asked.length} system texts became ${arrived.length}.`)
      : spaces(ends);
  const text = arrived.join("");
  const found = countFound(asked, arrived, text);
  if (found < asked.length)
    return found === 0
      ? changed("Another text arrived.")
      : changed(`${found} of ${asked.length} system texts arrived.`);
  return asksInOtherWords(ends, text)
    ? converted(ends, "G-FACT-EMULATED", "The form of the reply is asked for in words.")
    : changed("More text arrived than was given.");
}

/** Texts that are searched for in all of what arrived; those that come in order, or arrived whole, cost no search. */
const maxSearches = 200;

/** How many of the system texts arrived, whole or within others. @param text all that arrived */
function countFound(asked: readonly string[], arrived: readonly string[], text: string): number {
  const whole = new Set(arrived.map((one) => one.trim()));
  let found = 0;
  let end = 0;
  let searches = 0;
  for (const one of asked) {
    const wanted = one.trim();
    if (whole.has(wanted)) {
      found++;
      continue;
    }
    if (searches >= maxSearches) continue;
    const next = text.indexOf(wanted, end);
    if (next >= 0) end = next + wanted.length;
    else searches++;
    if (next >= 0 || text.includes(wanted)) found++;
  }
  return found;
}

function turnsVerdict(ends: Ends, asked: readonly TextTurn[], arrived: readonly TextTurn[]): Verdict | undefined {
  if (asked.length === 0 && arrived.length === 0) return undefined;
  if (asked.length === 0) return invented("The conversation had no text.");
  if (arrived.length === 0) return dropped("No turn arrived.");
  if (asked.length !== arrived.length) return changed(`${asked.length} turns became ${arrived.length}.`);
  const { system } = ends.asked;
  // A system text that moved into the conversation is the only thing reported.
  const moved = system.length > 0 && ends.arrived.system.length === 0 ? system : [];
  let spaced = false;
  for (const [i, turn] of asked.entries()) {
    const other = arrived[i]!;
    if (turn.role !== other.role) return changed(`Turn ${i + 1} arrived as the ${other.role}'s.`);
    let joined = compareTexts(turn.texts, other.texts);
    if (joined === "other" && i === 0 && moved.length > 0)
      joined = compareTexts([...moved, ...turn.texts], other.texts);
    if (joined === "other") return changed(`Turn ${i + 1} arrived with another text.`);
    spaced ||= joined === "spaced";
  }
  if (spaced) return spaces(ends);
  const merged = asked.filter(({ messages }, i) => messages !== arrived[i]!.messages).length;
  if (merged === 0) return kept;
  return converted(ends, "G-FACT-TURNS", "Messages of one role in a row became another number of them.");
}

/** System texts and turns. */
export function* compareConversation(ends: Ends): Generator<FactComparison> {
  const system = systemVerdict(ends);
  if (system) yield told("request", "system", system, given(ends.asked.system), given(ends.arrived.system));
  const [asked, arrived] = [textTurns(ends.asked), textTurns(ends.arrived)];
  const turns = turnsVerdict(ends, asked, arrived);
  if (turns)
    yield told("request", "turns", turns, given(shown(asked) as unknown[]), given(shown(arrived) as unknown[]));
}

const given = (list: readonly unknown[]): unknown => (list.length > 0 ? list : undefined);
