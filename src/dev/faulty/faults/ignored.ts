/** Faults that users report of members of requests that work in one place and are ignored in another. */
import { type Fault, fail, heard, warning } from "../fault.ts";

/** Hears streamed requests of generate content changed. */
const heardInStreams =
  (change: Parameters<typeof heard>[0]): NonNullable<Fault["hears"]> =>
  (request) =>
    request.target.includes(":streamGenerateContent") ? heard(change)(request) : request;

const onlyFirst = (stops: unknown): unknown => (Array.isArray(stops) ? stops.slice(0, 1) : stops);
const turned = (size: unknown): unknown => (typeof size === "string" ? size.split("x").reverse().join("x") : size);

export const ignored: readonly Fault[] = [
  {
    name: "chat stream: JSON mode ignored",
    users: "response_format works until stream is true",
    expected: fail("chat-completions.exchange.json-mode"),
    hears: heard((body) => {
      if (body.stream && body.response_format?.type === "json_object") delete body.response_format;
    }),
  },
  {
    name: "chat stream: tool_choice none ignored",
    users: "streams call tools that they must not call",
    expected: fail("chat-completions.exchange.tool-choice-none"),
    hears: heard((body) => {
      if (body.stream && body.tool_choice === "none") body.tool_choice = "required";
    }),
  },
  {
    name: "chat stream: parallel_tool_calls ignored",
    users: "two calls come where one is allowed, in streams",
    expected: warning("chat-completions.exchange.parallel-tool-calls"),
    hears: heard((body) => {
      if (body.stream) delete body.parallel_tool_calls;
    }),
  },
  {
    name: "chat: parallel_tool_calls ignored",
    users: "two calls come where one is allowed",
    expected: warning("chat-completions.exchange.parallel-tool-calls"),
    hears: heard((body) => void delete body.parallel_tool_calls),
  },
  {
    name: "chat: only the first stop sequence stops",
    users: "of a list of stop sequences one works",
    expected: fail("chat-completions.exchange.stop-excluded"),
    hears: heard((body) => void (body.stop = onlyFirst(body.stop))),
  },
  {
    name: "messages stream: disable_parallel_tool_use ignored",
    users: "two tools are used where one is allowed, in streams",
    expected: fail("messages.tools.choice-any-exactly-one"),
    hears: heard((body) => {
      if (body.stream) delete body.tool_choice?.disable_parallel_tool_use;
    }),
  },
  {
    name: "messages: disable_parallel_tool_use ignored",
    users: "two tools are used where one is allowed",
    expected: fail("messages.tools.choice-any-exactly-one"),
    hears: heard((body) => void delete body.tool_choice?.disable_parallel_tool_use),
  },
  {
    name: "messages: only the first stop sequence stops",
    users: "of a list of stop sequences one works",
    expected: warning("messages.response.stop-sequence-ends"),
    hears: heard((body) => {
      if (body.stop_sequences) body.stop_sequences = onlyFirst(body.stop_sequences);
    }),
  },
  {
    name: "generate stream: responseMimeType ignored",
    users: "streams bring prose where JSON is asked for",
    expected: fail("generate-content.generation-config.json-output"),
    hears: heardInStreams(({ generationConfig }) => void delete generationConfig?.responseMimeType),
  },
  {
    name: "generate stream: mode NONE ignored",
    users: "streams call functions that they must not call",
    expected: fail("generate-content.tools.mode-none"),
    hears: heardInStreams(({ toolConfig }) => {
      const config = toolConfig?.functionCallingConfig;
      if (config?.mode === "NONE") config.mode = "ANY";
    }),
  },
  {
    name: "generate: only the first stop sequence stops",
    users: "of a list of stop sequences one works",
    expected: warning("generate-content.generation-config.stop-sequence-ends"),
    hears: heard(({ generationConfig: config }) => {
      if (config?.stopSequences) config.stopSequences = onlyFirst(config.stopSequences);
    }),
  },
  {
    name: "images: height taken for width",
    users: "wide pictures come upright",
    expected: warning("images.response.output-size"),
    hears: heard((body) => void (body.size = turned(body.size))),
  },
];
