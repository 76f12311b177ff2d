/** Messages requests the document allows, written down from its text. */
import { pixelPng } from "../../wire/sample-files.ts";
import type { Chance } from "./chance.ts";
import { among, boolean, integer, list, type Make, type Members, map, number, object, oneOf, text } from "./shape.ts";

const cacheControl = object({}, { type: among("ephemeral") });
const marked = { cache_control: cacheControl };
const textBlock = object({ type: among("text"), text: text(1) }, marked);
const imageBlock = object(
  {
    type: among("image"),
    source: object({
      type: among("base64"),
      media_type: among("image/jpeg", "image/png", "image/gif", "image/webp"),
      data: among(pixelPng),
    }),
  },
  marked,
);
const documentBlock = object({ type: among("document"), source: map(text(1), among("x", 1, null, [1]), 0, 3) }, marked);
const toolName = text(1, 64);

/** A schema that any object follows, so that inputs may be anything. */
const customTool = object(
  {
    name: toolName,
    input_schema: among({ type: "object" }, { type: "object", properties: {}, additionalProperties: true }),
  },
  { type: among("custom"), description: text(), ...marked },
);
const builtin = oneOf(
  object(
    {
      type: among("computer_20241022"),
      name: among("computer"),
      display_width_px: integer(1, 4096),
      display_height_px: integer(1, 4096),
    },
    { display_number: integer(0, 5), ...marked },
  ),
  object({ type: among("bash_20241022"), name: among("bash") }, marked),
  object({ type: among("text_editor_20241022"), name: among("str_replace_editor") }, marked),
);

export const input = map(text(1, 8), among(1, "x", null, [], {}), 0, 3);

/** Calls of the assistant and the results of the user that follow them. */
function roundTrip(chance: Chance, turn: number): unknown[] {
  const ids = Array.from({ length: 1 + chance.below(2) }, (_, i) => `toolu_${turn}_${i}`);
  const uses = ids.map((id) => object({ type: among("tool_use"), id: () => id, name: text(1), input }, marked)(chance));
  const results = chance.shuffled(ids).map((id) =>
    object(
      {
        type: among("tool_result"),
        tool_use_id: () => id,
        content: oneOf(text(), list(oneOf(textBlock, imageBlock), 0, 2)),
      },
      { is_error: boolean, ...marked },
    )(chance),
  );
  const before = chance.once(2) ? [textBlock(chance)] : [];
  const after = chance.once(2) ? [textBlock(chance)] : [];
  const asks = message("assistant", [...before, ...uses])(chance);
  // Answers may come late, or never; they are only never there before the call.
  const between = chance.once(8) ? [message("user", "Wait.")(chance)] : [];
  return chance.once(10) ? [asks] : [asks, ...between, message("user", [...results, ...after])(chance)];
}

const message = (role: string, content: unknown): Make => object({ role: among(role), content: () => content });
const userContent = oneOf(text(), list(oneOf(textBlock, imageBlock, documentBlock), 1, 3));
const assistantContent = oneOf(text(1), list(textBlock, 1, 2));

function conversation(chance: Chance): unknown[] {
  const opens = chance.once(6)
    ? { role: among("assistant"), content: assistantContent }
    : { role: among("user"), content: userContent };
  const turns: unknown[] = [object(opens)(chance)];
  for (let turn = chance.below(3); turn > 0; turn--) {
    if (chance.once(2)) turns.push(...roundTrip(chance, turn));
    else turns.push(object({ role: among("assistant"), content: assistantContent })(chance));
    if (chance.once(2)) turns.push(object({ role: among("user"), content: userContent })(chance));
  }
  return turns;
}

/** The body of a legal messages request. */
export function messagesRequest(chance: Chance): Members {
  const thinks = chance.once(4);
  const most = thinks ? (integer(1025, 9000)(chance) as number) : (integer(1, 9000)(chance) as number);
  const tools = chance.once(2) ? (list(oneOf(customTool, builtin), 0, 4)(chance) as { name: string }[]) : undefined;
  const parallel = { disable_parallel_tool_use: boolean };
  const choices = [object({ type: among("auto") }, parallel), object({ type: among("any") }, parallel)];
  if (tools?.[0]) choices.push(object({ type: among("tool"), name: () => chance.pick(tools).name }, parallel));
  return object(
    {
      model: oneOf(text(1, 256), among("third-generation")),
      max_tokens: () => most,
      messages: conversation,
      tools: () => tools,
      tool_choice: (by) => (tools?.[0] && by.once(2) ? by.pick(choices)(by) : undefined),
    },
    {
      system: text(),
      metadata: object({}, { user_id: text(0, 256) }),
      stop_sequences: list(text(1, 6), 0, 6),
      stream: boolean,
      temperature: number(0, 1),
      // Its range leaves out both ends, which warn.
      top_p: among(0, 0.000001, 0.5, 0.999999, 1),
      top_k: integer(1, 500),
      thinking: thinks
        ? oneOf(
            object({ type: among("enabled"), budget_tokens: integer(1024, most - 1) }),
            object({ type: among("disabled") }),
          )
        : object({ type: among("disabled") }),
    },
  )(chance) as Members;
}
