/** Conversations a chat request can carry: every role, part and call the document allows. */
import { pixelPng } from "../../wire/sample-files.ts";
import type { Chance } from "./chance.ts";
import { among, base64, list, type Make, object, oneOf, orNull, text, word } from "./shape.ts";

const nameCharacters = "abcXYZ019_-";
export const functionName = word(nameCharacters, 1, 64);

export const textPart = object({ type: among("text"), text: text() });
const textOrParts = oneOf(text(), list(textPart, 1, 3));
const imagePart = object({
  type: among("image_url"),
  image_url: object(
    {
      url: among(
        "https://images.example/a.png",
        "http://images.example/ü.jpg?x=1#f",
        `data:image/png;base64,${pixelPng}`,
        pixelPng,
      ),
    },
    { detail: among("auto", "low", "high", "whatever") },
  ),
});
const audioPart = object({
  type: among("input_audio"),
  input_audio: object({ data: base64, format: among("wav", "mp3") }),
});
const filePart = object({
  type: among("file"),
  file: object({}, { file_data: base64, file_id: text(1), filename: text(1) }),
});
const userContent = oneOf(text(), list(oneOf(textPart, imagePart, audioPart, filePart), 0, 4));
const refusalPart = object({ type: among("refusal"), refusal: text() });

export const toolCall = (name: Make) =>
  object({
    id: text(1, 30),
    type: among("function"),
    // The model writes the arguments: they may be anything.
    function: object({ name, arguments: oneOf(among("{}", '{"city":"Oslo"}', "{broken", ""), text()) }),
  });

const system = (role: string) => object({ role: among(role), content: textOrParts }, { name: text(1) });

/** The earlier messages of an assistant: text, calls with the answers to them, or the deprecated call and its answer. */
function exchanged(chance: Chance): unknown[] {
  const said = { name: text(1), audio: orNull(object({ id: text(1) })), refusal: orNull(text()) };
  const content = oneOf(text(), list(oneOf(textPart, refusalPart), 1, 2));
  const kind = chance.below(3);
  if (kind === 0)
    return [
      object(
        { role: among("assistant"), content },
        { ...said, function_call: among(null), tool_calls: among([]) },
      )(chance),
    ];
  if (kind === 1) {
    const calls = list(toolCall(functionName), 1, 3)(chance) as { id: string }[];
    return [
      object(
        { role: among("assistant"), tool_calls: () => calls },
        { ...said, content: oneOf(among(null), content) },
      )(chance),
      ...chance.shuffled(calls).map(({ id }) =>
        object({
          role: among("tool"),
          content: textOrParts,
          tool_call_id: () => (chance.once(20) ? "call_unknown" : id),
        })(chance),
      ),
    ];
  }
  const name = functionName(chance) as string;
  return [
    object(
      { role: among("assistant"), function_call: object({ name: () => name, arguments: among("{}", "oops") }) },
      { ...said, content: oneOf(among(null), content) },
    )(chance),
    object({ role: among("function"), name: () => name, content: orNull(text()) })(chance),
  ];
}

/** Messages of every role, in an order that makes sense; for reasoning models none of the role system. */
export function conversation(chance: Chance, reasoning: boolean): unknown[] {
  const turns: unknown[] = [];
  if (chance.once(2)) turns.push(system(reasoning ? "developer" : chance.pick(["developer", "system"]))(chance));
  for (let i = chance.below(3); i > 0; i--) turns.push(...exchanged(chance));
  turns.push(object({ role: among("user"), content: userContent }, { name: text(1) })(chance));
  return turns;
}
