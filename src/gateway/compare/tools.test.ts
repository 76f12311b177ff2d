/** Holds what becomes of tools, their choice, the form of the reply, and of thinking. */
import { expect, test } from "vitest";
import { config, ofRequest } from "./compare.test-kit.ts";

type Row = readonly [...Parameters<typeof ofRequest>, string];

const schema = {
  type: "object",
  properties: { city: { type: "string", enum: ["Oslo", "Rome"] }, days: { type: ["integer", "null"] } },
  required: ["city"],
};
const narrow = {
  type: "OBJECT",
  properties: { city: { type: "STRING", enum: ["Oslo", "Rome"] }, days: { type: "INTEGER", nullable: true } },
  required: ["city"],
};
const chatTool = (name = "look_up", parameters: unknown = schema, more = {}) => ({
  type: "function",
  function: { name, description: "Weather.", parameters, ...more },
});
const tool = (name = "look_up", input_schema: unknown = schema, description = "Weather.") => ({
  name,
  description,
  input_schema,
});
const declared = (name = "look_up", parameters: unknown = narrow) => ({
  tools: [{ functionDeclarations: [{ name, description: "Weather.", parameters }] }],
});
/** A tool of generate content; no document has another name for its parameters. */
const generateTool = (name: string, given: unknown, as = "parameters") => ({
  tools: [{ functionDeclarations: [{ name, description: "Weather.", [as]: given }] }],
});
const referring = {
  type: "object",
  properties: { at: { $ref: "#/$defs/place" } },
  $defs: { place: { type: "object", properties: { city: { $ref: "#/$defs/name" } } }, name: { type: "string" } },
};
/** The same with what its references point at. */
const inPlace = (type = "string") => ({
  type: "object",
  properties: { at: { type: "object", properties: { city: { type } } } },
});
const { $defs: _, ...dangling } = referring;
/** A reference that leads nowhere says nothing. */
const endless = {
  type: "object",
  properties: { at: { $ref: "#/$defs/a" } },
  $defs: { a: { $ref: "#/$defs/a" } },
};
const c = { tools: [chatTool()] };
const m = { tools: [tool()] };

const tools: readonly Row[] = [
  ["cm", "tools", c, m, false, "kept"],
  ["cg", "tools", c, declared(), false, "kept, converted"],
  [
    "cg",
    "tools",
    {
      tools: [
        chatTool("look_up", {
          ...schema,
          $schema: "https://json-schema.org/draft/2020-12/schema",
          additionalProperties: false,
        }),
      ],
    },
    declared(),
    false,
    "kept, converted",
  ],
  ["cm", "tools", { tools: [chatTool("look_up", { ...schema, additionalProperties: false })] }, m, false, "changed"],
  ["cm", "tools", c, { tools: [tool("look_up", { ...schema, $defs: {} })] }, false, "kept, converted"],
  // Definitions that nobody refers to say nothing.
  ["cm", "tools", { tools: [chatTool("look_up", { ...schema, $defs: { a: {} } })] }, m, false, "kept, converted"],
  ["cm", "tools", { tools: [chatTool("f", referring)] }, { tools: [tool("f", referring)] }, false, "kept"],
  ["cm", "tools", { tools: [chatTool("f", referring)] }, { tools: [tool("f", inPlace())] }, false, "kept, converted"],
  ["cg", "tools", { tools: [chatTool("f", referring)] }, generateTool("f", inPlace()), false, "kept, converted"],
  ["cm", "tools", { tools: [chatTool("f", referring)] }, { tools: [tool("f", inPlace("number"))] }, false, "changed"],
  ["cm", "tools", { tools: [chatTool("f", referring)] }, { tools: [tool("f", dangling)] }, false, "changed"],
  ["cm", "tools", { tools: [chatTool("f", endless)] }, { tools: [tool("f", inPlace())] }, false, "kept, converted"],
  ["mg", "tools", m, generateTool("look_up", schema, "parametersJsonSchema"), false, "kept, converted"],
  ["cm", "tools", c, { tools: [tool("look_up", { ...schema, required: [] })] }, false, "changed"],
  ["cm", "tools", c, { tools: [tool("look_up", schema, "")] }, false, "changed"],
  ["cm", "tools", c, {}, false, "dropped"],
  ["cm", "tools", { tools: [chatTool(), chatTool("wind")] }, m, false, "changed"],
  ["cm", "tools", c, { tools: [tool(), tool("extra")] }, false, "invented"],
  [
    "cm",
    "tools",
    { tools: [{ type: "function", function: { name: "now" } }] },
    { tools: [{ name: "now", input_schema: { type: "object", properties: {} } }] },
    false,
    "kept, converted",
  ],
  ["cm", "tools", { tools: [chatTool("look_up", schema, { strict: true })] }, m, false, "no-counterpart"],
  ["cc", "tools", { tools: [chatTool("look_up", schema, { strict: true })] }, c, false, "changed"],
  ["cc", "tools", { functions: [{ name: "look_up", description: "Weather.", parameters: schema }] }, c, false, "kept"],
  [
    "mc",
    "tools",
    { tools: [{ type: "bash_20241022", name: "bash" }] },
    { tools: [chatTool("bash")] },
    false,
    "nothing",
  ],
  [
    "mc",
    "tools.built-in",
    { tools: [{ type: "bash_20241022", name: "bash" }] },
    { tools: [chatTool("bash")] },
    false,
    "no-counterpart",
  ],
];

const choices: readonly Row[] = [
  ["cm", "tools.choice", { ...c, tool_choice: "required" }, { ...m, tool_choice: { type: "any" } }, false, "kept"],
  ["cm", "tools.choice", { ...c, tool_choice: "required" }, { ...m, tool_choice: { type: "auto" } }, false, "changed"],
  ["cm", "tools.choice", { ...c, tool_choice: "required" }, m, false, "dropped"],
  [
    "cm",
    "tools.choice",
    { ...c, tool_choice: "required" },
    { ...m, tool_choice: { type: "tool", name: "look_up" } },
    false,
    "kept, converted",
  ],
  ["cm", "tools.choice", { ...c, tool_choice: "auto" }, m, false, "kept, converted"],
  ["mc", "tools.choice", m, { ...c, tool_choice: "auto" }, false, "kept, converted"],
  ["mc", "tools.choice", m, { ...c, tool_choice: "required" }, false, "invented"],
  ["cm", "tools.choice", { ...c, tool_choice: "none" }, {}, false, "kept, converted"],
  ["cm", "tools", { ...c, tool_choice: "none" }, {}, false, "kept, converted"],
  ["cm", "tools.choice", { ...c, tool_choice: "none" }, m, false, "dropped"],
  // No document has the word; services do.
  [
    "cm",
    "tools.choice",
    { ...c, tool_choice: "none" },
    { ...m, tool_choice: { type: "none" } },
    false,
    "kept, converted",
  ],
  [
    "cg",
    "tools.choice",
    { ...c, tool_choice: "required" },
    { ...declared(), toolConfig: { functionCallingConfig: { mode: "any" } } },
    false,
    "kept, converted",
  ],
  [
    "cg",
    "tools.choice",
    { ...c, tool_choice: "required" },
    { ...declared(), toolConfig: { functionCallingConfig: { mode: "any" } } },
    true,
    "changed",
  ],
  [
    "cg",
    "tools.choice",
    { ...c, tool_choice: "required" },
    { ...declared(), toolConfig: { functionCallingConfig: { mode: "MUST" } } },
    false,
    "changed",
  ],
  [
    "cg",
    "tools.choice",
    { ...c, tool_choice: { type: "function", function: { name: "look_up" } } },
    { ...declared(), toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["look_up"] } } },
    false,
    "kept",
  ],
  [
    "cg",
    "tools.choice",
    { tools: [chatTool(), chatTool("wind")], tool_choice: { type: "function", function: { name: "look_up" } } },
    { ...declared(), toolConfig: { functionCallingConfig: { mode: "ANY" } } },
    false,
    "kept, converted",
  ],
  [
    "cg",
    "tools.choice",
    { tools: [chatTool(), chatTool("wind")], tool_choice: { type: "function", function: { name: "look_up" } } },
    {
      tools: [{ functionDeclarations: [{ name: "look_up" }, { name: "wind" }] }],
      toolConfig: { functionCallingConfig: { mode: "ANY" } },
    },
    false,
    "changed",
  ],
  [
    "mc",
    "tools.choice",
    { ...m, tool_choice: { type: "any" } },
    { ...c, tool_choice: { type: "any" } },
    false,
    "changed",
  ],
  [
    "cm",
    "tools.parallel",
    { ...c, parallel_tool_calls: false },
    { ...m, tool_choice: { type: "auto", disable_parallel_tool_use: true } },
    false,
    "kept",
  ],
  ["cm", "tools.parallel", { ...c, parallel_tool_calls: false }, m, false, "dropped"],
  ["cm", "tools.parallel", { ...c, parallel_tool_calls: true }, m, false, "kept, converted"],
  ["cg", "tools.parallel", { ...c, parallel_tool_calls: false }, declared(), false, "no-counterpart"],
  ["cm", "tools.parallel", { parallel_tool_calls: false }, {}, false, "kept, converted"],
];

const form = (more = {}) => ({
  response_format: { type: "json_schema", json_schema: { name: "answer", schema, ...more } },
});

const forms: readonly Row[] = [
  [
    "cg",
    "structured-output",
    form(),
    config({ responseMimeType: "application/json", responseSchema: narrow }),
    false,
    "kept, converted",
  ],
  ["cg", "structured-output", form(), config({ responseMimeType: "application/json" }), false, "changed"],
  ["cg", "structured-output", form(), {}, false, "dropped"],
  [
    "cg",
    "structured-output",
    { response_format: { type: "json_object" } },
    config({ responseMimeType: "application/json" }),
    false,
    "kept",
  ],
  [
    "gc",
    "structured-output",
    config({ responseMimeType: "text/x.enum", responseSchema: { type: "STRING", enum: ["a"] } }),
    { response_format: { type: "json_schema", json_schema: { name: "a", schema: { type: "string", enum: ["a"] } } } },
    false,
    "kept, converted",
  ],
  ["cm", "structured-output", form(), {}, false, "no-counterpart"],
  [
    "cm",
    "structured-output",
    form(),
    { tools: [tool("json_answer")], tool_choice: { type: "tool", name: "json_answer" } },
    false,
    "kept, converted",
  ],
  [
    "cm",
    "tools",
    form(),
    { tools: [tool("json_answer")], tool_choice: { type: "tool", name: "json_answer" } },
    false,
    "kept, converted",
  ],
  [
    "cm",
    "tools.choice",
    form(),
    { tools: [tool("json_answer")], tool_choice: { type: "tool", name: "json_answer" } },
    false,
    "kept, converted",
  ],
  [
    "cm",
    "structured-output",
    form(),
    { system: "Answer in JSON that follows this schema: {}" },
    false,
    "kept, converted",
  ],
  ["cm", "system", form(), { system: "Answer in JSON that follows this schema: {}" }, false, "kept, converted"],
  ["cm", "structured-output", form(), { system: "Answer in JSON that follows this schema: {}" }, true, "changed"],
  ["cc", "structured-output", form({ strict: true }), form(), false, "changed"],
  ["cc", "structured-output", { response_format: { type: "text" } }, {}, false, "kept, converted"],
  ["gc", "structured-output", {}, { response_format: { type: "json_object" } }, false, "invented"],
];

const enabled = { max_tokens: 9_000, thinking: { type: "enabled", budget_tokens: 4_096 } };
const off = { thinking: { type: "disabled" } };
/** No document has the word; services do, for as much as the model likes. */
const freely = { max_tokens: 9_000, thinking: { type: "adaptive" } };

const thinking: readonly Row[] = [
  ["mc", "thinking", enabled, { reasoning_effort: "medium" }, false, "kept, converted"],
  ["mc", "thinking", enabled, {}, false, "dropped"],
  ["mg", "thinking", enabled, config({ thinkingConfig: { thinkingBudget: 4_096 } }), false, "kept"],
  ["mg", "thinking", enabled, config({ thinkingConfig: { thinkingBudget: 100 } }), false, "changed"],
  ["mg", "thinking", enabled, config({ thinkingConfig: { includeThoughts: true } }), false, "changed"],
  ["mm", "thinking", enabled, { max_tokens: 9_000 }, false, "dropped"],
  ["mc", "thinking", off, {}, false, "kept, converted"],
  ["mc", "thinking", off, { reasoning_effort: "low" }, false, "invented"],
  ["mc", "thinking", off, { reasoning: { effort: "high", enabled: false } }, false, "kept, converted"],
  ["mg", "thinking", freely, config({ thinkingConfig: { includeThoughts: true } }), false, "kept"],
  ["mm", "thinking", freely, freely, true, "kept"],
  ["mc", "thinking", freely, { reasoning_effort: "high" }, false, "kept, converted"],
  ["mc", "thinking", off, { reasoning: { effort: "high" } }, false, "invented"],
  [
    "mg",
    "thinking",
    off,
    config({ thinkingConfig: { includeThoughts: true, thinkingBudget: 1_024 } }),
    false,
    "invented",
  ],
  ["mg", "thinking", off, config({ thinkingConfig: { thinkingBudget: 0 } }), false, "kept"],
  ["mc", "thinking", enabled, { reasoning: { effort: "high" } }, false, "kept, converted"],
  ["mc", "thinking", enabled, { reasoning: { effort: "high" } }, true, "changed"],
  [
    "cm",
    "thinking",
    { reasoning_effort: "high" },
    { max_tokens: 9_000, thinking: { type: "enabled", budget_tokens: 8_000 } },
    false,
    "kept, converted",
  ],
  ["cm", "thinking", {}, { max_tokens: 9_000, thinking: { type: "enabled", budget_tokens: 8_000 } }, false, "invented"],
  ["cm", "thinking", {}, off, false, "kept, converted"],
  ["cc", "thinking", { reasoning_effort: "high" }, { reasoning_effort: "low" }, false, "changed"],
  [
    "gm",
    "thinking",
    config({ thinkingConfig: { thinkingBudget: 200 } }),
    { max_tokens: 9_000, thinking: { type: "enabled", budget_tokens: 1_024 } },
    false,
    "kept, converted",
  ],
  ["gc", "thinking", config({ thinkingConfig: { includeThoughts: true } }), {}, false, "no-counterpart"],
];

test.each([...tools, ...choices, ...forms, ...thinking])(
  "%s, %s: %j arrives as %j, strict %j: %s",
  (route, fact, asked, arrived, strict, outcome) => {
    expect(ofRequest(route, fact, asked, arrived, strict)).toBe(outcome);
  },
);
