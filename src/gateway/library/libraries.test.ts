/** Drivers of client libraries write every fact that they say they write, with its whole value. */
import { beforeAll, expect, test } from "vitest";
import { home } from "../../home.ts";
import type { RequestFacts } from "../../interfaces/common/facts/model.ts";
import { loadAll } from "../../run/clients/packages.ts";
import type { Loose } from "../../run/clients/trial.ts";
import { callOf } from "./ai.ts";
import { libraries } from "./libraries.ts";

const user = (...parts: RequestFacts["turns"][number]["parts"]): RequestFacts["turns"][number] => ({
  role: "user",
  parts,
});
const assistant = (...parts: RequestFacts["turns"][number]["parts"]): RequestFacts["turns"][number] => ({
  ...{ role: "assistant", parts },
});
const call = { kind: "call", id: "call_7", name: "look", arguments: '{"at":"sky7"}' } as const;

/** A request that says a fact, and texts that a call has to hold for it. */
const said: Readonly<Record<string, readonly [Partial<RequestFacts>, ...string[]]>> = {
  "sampling.temperature": [{ settings: { "sampling.temperature": 0.37 } }, '"temperature":0.37'],
  "sampling.top-p": [{ settings: { "sampling.top-p": 0.41 } }, '"topP":0.41'],
  "sampling.top-k": [{ settings: { "sampling.top-k": 43 } }, '"topK":43'],
  "limits.max-tokens": [{ settings: { "limits.max-tokens": 47 } }, ":47"],
  "stop.sequences": [{ settings: { "stop.sequences": ["END7", "STOP8"] } }, "END7", "STOP8"],
  penalties: [
    { settings: { penalties: { presence: 0.53, frequency: 0.59 } } },
    '"presencePenalty":0.53',
    '"frequencyPenalty":0.59',
  ],
  seed: [{ settings: { seed: 61 } }, '"seed":61'],
  user: [{ settings: { user: "user7" } }, "user7"],
  system: [{ system: ["system7", "system8"] }, "system7", "system8"],
  turns: [
    { turns: [user({ kind: "text", text: "one7" }), assistant({ kind: "text", text: "two7" })] },
    ...["one7", '"role":"assistant"', "two7"],
  ],
  tools: [
    { tools: [{ name: "look", description: "Looks7.", parameters: { type: "object", properties: { at7: {} } } }] },
    ...['"look"', "Looks7.", "at7"],
  ],
  "tools.choice": [
    { tools: [{ name: "look" }], choice: { mode: "named", names: ["look"] } },
    '"toolChoice":{"type":"tool","toolName":"look"}',
  ],
  "tools.parallel": [
    { tools: [{ name: "look" }], parallel: false },
    '"parallelToolCalls":false',
    '"disableParallelToolUse":true',
  ],
  "structured-output": [
    {
      output: {
        form: "schema",
        name: "name7",
        description: "says7",
        schema: { type: "object", properties: { of7: {} } },
      },
    },
    ...["name7", "says7", "of7"],
  ],
  thinking: [
    { thinking: { on: true, budget: 4321 } },
    ...['"budgetTokens":4321', '"thinkingBudget":4321', '"reasoningEffort":"medium"'],
  ],
  "tool-call": [
    { turns: [user({ kind: "text", text: "Look." }), assistant(call)] },
    "call_7",
    '"look"',
    '{"at":"sky7"}',
  ],
  "tool-result": [
    {
      turns: [
        assistant(call),
        user({ kind: "result", id: "call_7", isError: true, content: [{ kind: "text", text: "no sky7" }] }),
      ],
    },
    ...['"toolCallId":"call_7"', "no sky7", "error-text"],
  ],
  stream: [{ stream: true }],
  image: [{ turns: [user({ kind: "image", mediaType: "image/webp", data: "aW1hZ2U3" })] }, "image/webp", "aW1hZ2U3"],
  audio: [{ turns: [user({ kind: "audio", mediaType: "audio/mpeg", data: "YXVkaW83" })] }, "audio/mpeg", "YXVkaW83"],
  video: [{ turns: [user({ kind: "video", mediaType: "video/webm", data: "dmlkZW83" })] }, "video/webm", "dmlkZW83"],
  document: [
    { turns: [user({ kind: "document", mediaType: "application/pdf", name: "file7.pdf", data: "ZG9jdW1lbnQ3" })] },
    ...["application/pdf", "file7.pdf", "ZG9jdW1lbnQ3"],
  ],
};

const plain: RequestFacts = {
  settings: {},
  stream: false,
  system: [],
  turns: [user({ kind: "text", text: "Hello." })],
};
const exports = new Map<string, Loose>();

beforeAll(async () => {
  for (const { name, packages } of libraries) {
    const loaded = await loadAll([...new Set(Object.values(packages).flat())], home);
    expect(loaded).not.toHaveProperty("problem");
    exports.set(name, (loaded as { readonly sdk: Loose }).sdk);
  }
});

/** A call as text; schemas and forms of replies are functions within. */
const textOf = async (sdk: Loose, facts: RequestFacts): Promise<string> => {
  const settings = callOf(sdk, facts);
  return JSON.stringify({ ...settings, output: await settings.output?.responseFormat });
};

const asked = libraries.flatMap(({ name, asks }) =>
  [...new Set(Object.values(asks).flat())].filter((fact) => fact !== "stream").map((fact) => [name, fact] as const),
);

test.each(asked)("%s writes all of %s", async (name, fact) => {
  const [facts, ...texts] = said[fact] ?? expect.fail(`no request says ${fact}`);
  const [sdk, without] = [exports.get(name), { ...plain, settings: {} }];
  const [call, other] = [await textOf(sdk, { ...plain, ...facts }), await textOf(sdk, without)];
  for (const text of texts) {
    expect(call).toContain(text);
    expect(other).not.toContain(text);
  }
});
