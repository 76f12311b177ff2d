/** Translating gateways of few lines, made without readers and writers of facts, with the faults that real ones have. */
import { createServer, type ServerResponse } from "node:http";
import { listening, type Relay } from "./relay.test-kit.ts";

// biome-ignore lint/suspicious/noExplicitAny: they take what comes, as such gateways do.
type Body = any;

/** A gateway's work in the words of its two interfaces. */
export interface SmallGateway {
  /** The path and the body for the upstream. */
  readonly request: (body: Body) => readonly [path: string, body: Body];
  /** The whole reply. */
  readonly whole: (body: Body) => Body;
  /** Chunks for an event of the upstream's stream; made anew for each stream. */
  readonly events?: () => (event: Body) => readonly Body[];
  /** Sent once the upstream's stream is over, however it ended. */
  readonly end?: readonly Body[];
}

const data = (value: unknown): string => `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;

async function passStream(response: Response, outgoing: ServerResponse, gateway: SmallGateway): Promise<void> {
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  const translate = gateway.events?.() ?? (() => []);
  let rest = "";
  try {
    for await (const piece of response.body!) {
      const lines = (rest + Buffer.from(piece).toString("utf8")).split(/\r?\n/);
      rest = lines.pop()!;
      for (const line of lines)
        if (line.startsWith("data: {"))
          for (const chunk of translate(JSON.parse(line.slice(6)))) outgoing.write(data(chunk));
    }
  } catch {
    // What broke off is over, too.
  }
  for (const chunk of gateway.end ?? []) outgoing.write(data(chunk));
  outgoing.end();
}

/** Opens a gateway. @param upstream its address @param headers sent to it */
export async function openSmallGateway(
  upstream: string,
  gateway: SmallGateway,
  headers: Readonly<Record<string, string>>,
): Promise<Relay> {
  const server = createServer(async (incoming, outgoing) => {
    let text = "";
    for await (const piece of incoming) text += piece;
    const [path, body] = gateway.request(JSON.parse(text));
    const response = await fetch(upstream + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    if (/event-stream/.test(response.headers.get("content-type") ?? ""))
      return void (await passStream(response, outgoing, gateway));
    const reply = await response.json().catch(() => undefined);
    if (reply === undefined) return void outgoing.destroy();
    outgoing.writeHead(response.status, { "content-type": "application/json" });
    outgoing.end(JSON.stringify(response.ok ? gateway.whole(reply) : reply));
  });
  return listening(server);
}

const ends: Body = { end_turn: "stop", stop_sequence: "stop", max_tokens: "length", tool_use: "tool_calls" };
const chunk = (choice: Body): Body => ({
  ...{ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "any" },
  choices: [{ index: 0, delta: {}, finish_reason: null, ...choice }],
});

const usageOfChat = ({ input_tokens, output_tokens, cache_read_input_tokens: cached = 0 }: Body): Body => ({
  ...{ prompt_tokens: input_tokens + cached, completion_tokens: output_tokens },
  ...{ total_tokens: input_tokens + cached + output_tokens, prompt_tokens_details: { cached_tokens: cached } },
});

const messagesRequest = ({ messages, max_tokens = 100, model, stream, tools, stop }: Body): Body => ({
  ...{ model, max_tokens, stream, messages: messages.filter(({ role }: Body) => role !== "system") },
  ...(stop && { stop_sequences: [stop].flat() }),
  ...(tools && {
    tools: tools.map(({ function: one }: Body) => ({
      name: one.name,
      description: one.description,
      input_schema: one.parameters ?? { type: "object" },
    })),
  }),
});

export interface ChatFaults {
  /** Gives each piece of a text the number of its block, or a number of its own, as the index of its choice. */
  readonly scatters?: "blocks" | "pieces";
  /** Gives all calls the index 0. */
  readonly merges?: boolean;
  /** Ends every stream as a success. */
  readonly isAlwaysWell?: boolean;
}

/** Speaks chat to its clients and messages to its upstream. */
export const chatOverMessages = ({ scatters, merges, isAlwaysWell }: ChatFaults): SmallGateway => ({
  request: (body) => ["/v1/messages", messagesRequest(body)],
  whole: ({ content, stop_reason, model, id, usage }) => ({
    ...{ id, object: "chat.completion", created: 1, model },
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: content.map(({ text = "" }: Body) => text).join("") || null,
          ...(stop_reason === "tool_use" && {
            tool_calls: content
              .filter(({ type }: Body) => type === "tool_use")
              .map((call: Body) => ({
                id: call.id,
                type: "function",
                function: { name: call.name, arguments: JSON.stringify(call.input) },
              })),
          }),
        },
        finish_reason: ends[stop_reason],
      },
    ],
    usage: usageOfChat(usage),
  }),
  events: () => {
    let [pieces, calls] = [-1, -1];
    return ({ type, index, delta, content_block: block }) => {
      if (type === "content_block_start" && block.type === "tool_use") {
        if (!merges || calls < 0) calls++;
        const call = { index: calls, id: block.id, type: "function", function: { name: block.name, arguments: "" } };
        return [chunk({ delta: { tool_calls: [call] } })];
      }
      if (delta?.text !== undefined) {
        pieces++;
        const choice = scatters === "blocks" ? index : scatters === "pieces" ? pieces : 0;
        return [chunk({ index: choice, delta: { content: delta.text } })];
      }
      if (delta?.partial_json !== undefined)
        return [chunk({ delta: { tool_calls: [{ index: calls, function: { arguments: delta.partial_json } }] } })];
      if (type === "error" && !isAlwaysWell)
        return [{ error: { message: "The upstream failed.", type: "server_error" } }];
      if (type !== "message_delta" || isAlwaysWell) return [];
      return [chunk({ finish_reason: ends[delta.stop_reason] }), "[DONE]"];
    };
  },
  end: isAlwaysWell ? [chunk({ finish_reason: "stop" }), "[DONE]"] : [],
});

export interface MessagesFaults {
  /** Tells a filter as a stop sequence. */
  readonly hidesFilters?: boolean;
  /** Asks for thinking, whatever the request says of it. */
  readonly thinksAlways?: boolean;
}

/** Speaks messages to its clients and chat to its upstream, whole replies alone. */
export const messagesOverChat = ({ hidesFilters, thinksAlways }: MessagesFaults): SmallGateway => ({
  request: ({ messages, model, max_tokens, thinking }) => [
    "/v1/chat/completions",
    {
      ...{ model, max_completion_tokens: max_tokens, messages },
      ...(thinking && (thinksAlways || thinking.type === "enabled") && { reasoning_effort: "medium" }),
    },
  ],
  whole: ({ id, model, usage, choices: [{ message, finish_reason }] }) => ({
    ...{ id, type: "message", role: "assistant", model },
    content: [{ type: "text", text: message.content }],
    stop_reason: finish_reason === "content_filter" ? (hidesFilters ? "stop_sequence" : "end_turn") : "end_turn",
    usage: { input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens },
  }),
});

const parts = ({ role, content, tool_calls = [], tool_call_id }: Body, nameOf: (id: string) => string): Body[] =>
  role === "tool"
    ? [{ functionResponse: { name: nameOf(tool_call_id), response: { output: content } } }]
    : [
        ...(content ? [{ text: content }] : []),
        ...tool_calls.map(({ function: { name, arguments: args } }: Body) => ({
          functionCall: { name, args: JSON.parse(args) },
        })),
      ];

/** Speaks chat to its clients and generate content to its upstream, whole replies alone. @param made the name of all results; their own without */
export const chatOverGenerate = (made: string | undefined): SmallGateway => ({
  request: ({ messages, model, tools = [] }) => {
    const names = new Map<string, string>(
      messages.flatMap(({ tool_calls = [] }: Body) => tool_calls.map(({ id, function: { name } }: Body) => [id, name])),
    );
    const contents = messages.map((message: Body) => ({
      role: message.role === "assistant" ? "model" : "user",
      parts: parts(message, (id) => made ?? names.get(id)!),
    }));
    const functionDeclarations = tools.map(({ function: one }: Body) => one);
    return [`/v1beta/models/${model}:generateContent`, { contents, tools: [{ functionDeclarations }] }];
  },
  whole: ({ candidates: [{ content }], modelVersion: model, usageMetadata: used }) => ({
    ...{ id: "chatcmpl-1", object: "chat.completion", created: 1, model },
    choices: [{ index: 0, message: { role: "assistant", content: content.parts[0].text }, finish_reason: "stop" }],
    usage: {
      ...{ prompt_tokens: used.promptTokenCount, completion_tokens: used.candidatesTokenCount },
      ...{ total_tokens: used.totalTokenCount },
    },
  }),
});
