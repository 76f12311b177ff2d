/** Good messages requests, without a reply. */
import type { Example } from "../../../check/example.ts";
import { asked, clock, type Data, pixel, weather, weatherUse } from "./parts.ts";

const cache_control = { type: "ephemeral" };
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: pixel } };

const parameters: readonly Example[] = [
  asked("the required members alone"),
  asked("every optional member", {
    system: "Answer briefly.",
    metadata: { user_id: "5f1c8c0e-7d0a-4f57-a0de-3d9a0a1b9d50" },
    stop_sequences: ["###", "END"],
    stream: false,
    temperature: 0.7,
    top_k: 40,
  }),
  asked("nucleus sampling", { top_p: 0.9, metadata: {}, stop_sequences: [] }),
  asked("thinking enabled", { max_tokens: 4096, thinking: { type: "enabled", budget_tokens: 2048 } }),
  asked("thinking disabled", { thinking: { type: "disabled" } }),
  asked("two beta names", {}, [["partner-beta", "beta1,beta2"]]),
  asked("a beta header sent twice", {}, [
    ["partner-beta", "beta1"],
    ["partner-beta", "beta2"],
  ]),
];

const turns: readonly Example[] = [
  asked("several turns", {
    messages: [
      { role: "user", content: "Hello" },
      { role: "assistant", content: "Hello! How can I help?" },
      { role: "user", content: [{ type: "text", text: "Count to three." }] },
      { role: "user", content: "Slowly." },
    ],
  }),
  asked("a reply begun by the caller", {
    messages: [
      { role: "user", content: "Name a colour." },
      { role: "assistant", content: [{ type: "text", text: "My favourite colour is" }] },
    ],
  }),
];

const content: readonly Example[] = [
  asked("text, an image and a document", {
    model: "third-generation",
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "What is on these?", cache_control },
          { ...image, cache_control: {} },
          { type: "document", source: { anything: ["goes"] }, cache_control },
        ],
      },
    ],
  }),
];

/** The user asks, the assistant calls the weather tool, the user's turn answers. */
function roundTrip(result: Data, more: readonly Data[] = []): Data {
  return {
    tools: [weather],
    messages: [
      { role: "user", content: "How is the weather in Oslo?" },
      {
        role: "assistant",
        content: [
          { type: "text", text: "Let me look." },
          { ...weatherUse, cache_control },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_01", ...result }] },
      ...more,
    ],
  };
}

const tools: readonly Example[] = [
  asked(
    "tools of every kind",
    {
      tools: [
        { ...weather, cache_control },
        clock,
        {
          type: "computer_20241022",
          name: "computer",
          display_width_px: 1024,
          display_height_px: 768,
          display_number: 1,
          cache_control,
        },
        { type: "bash_20241022", name: "bash", cache_control },
        { type: "text_editor_20241022", name: "str_replace_editor", cache_control },
      ],
      tool_choice: { type: "auto" },
    },
    [["partner-beta", "computer-use"]],
  ),
  asked("any tool, one at a time", {
    tools: [weather, clock],
    tool_choice: { type: "any", disable_parallel_tool_use: true },
  }),
  asked("a named tool", {
    tools: [weather, clock],
    tool_choice: { type: "tool", name: "get_time", disable_parallel_tool_use: false },
  }),
  asked("the model's choice, one tool at a time", {
    tools: [weather],
    tool_choice: { type: "auto", disable_parallel_tool_use: true },
  }),
  asked("a tool result as text", roundTrip({ content: "4 °C", is_error: false })),
  asked("a tool result as a list of text", roundTrip({ content: [{ type: "text", text: "4 °C" }] })),
  asked("a tool result as blocks", {
    ...roundTrip({ content: [{ type: "text", text: "4 °C", cache_control }, image], cache_control }),
    model: "third-generation",
  }),
  asked("a tool that failed, and a second call", {
    ...roundTrip({ content: "no such city", is_error: true }, [
      {
        role: "assistant",
        content: [
          { ...weatherUse, id: "toolu_02" },
          { ...weatherUse, id: "toolu_03" },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_03", content: "5 °C" }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_02", content: "" }] },
    ]),
  }),
];

export const requests: readonly Example[] = [...parameters, ...turns, ...content, ...tools];
