/** Drives bare event-stream parsers on top of `fetch`, and ten lines without a parser, on chat completions. */
import { question as questionOf } from "../chat-completions/question.ts";
import type { Driver, Given, Loose, Question } from "./driver.ts";

/**
 * Puts a stream together as a careful program does: it raises the errors that events report, and notices a stream that ends
 * too early. All that goes amiss is then the parser's.
 */
export function reading() {
  let text = "";
  let finish: string | undefined;
  let isDone = false;
  return {
    /** @param data the data of an event */
    add(data: string): void {
      isDone ||= data.trim() === "[DONE]";
      if (isDone || data.trim() === "") return;
      const { choices, error }: Loose = JSON.parse(data) ?? {};
      if (error) throw new Error(error.message ?? "an event reports an error");
      const choice = choices?.find(({ index }: Loose) => (index ?? 0) === 0);
      const content = choice?.delta?.content ?? choice?.delta?.refusal ?? "";
      text += Array.isArray(content) ? content.map((part) => part?.text ?? "").join("") : content;
      finish = choice?.finish_reason || finish;
    },
    isDone: () => isDone,
    end(): Given {
      if (finish === undefined && !isDone) throw new Error("the stream ended too early");
      return { text, calls: [], finish };
    },
  };
}

/** The question as a POST that asks for a stream. */
export function postOf(question: Question) {
  const { path, headers, body } = questionOf({ ...question, stream: true, tools: false });
  return {
    url: question.baseUrl + path,
    method: "POST",
    headers: { "content-type": "application/json", ...headers } as Record<string, string>,
    body: JSON.stringify(body),
  };
}

async function post(question: Question): Promise<Response> {
  const { url, ...request } = postOf(question);
  const response = await fetch(url, { ...request, signal: question.deadline });
  if (!response.ok) throw Object.assign(new Error(`status ${response.status}`), { status: response.status });
  if (!response.body) throw new Error("no body");
  const type = response.headers.get("content-type") ?? "";
  if (!/^text\/event-stream\b/i.test(type)) throw new Error(`no event stream: ${type || "no media type"}`);
  return response;
}

const driver = (
  name: string,
  packages: readonly string[],
  read: (sdk: Loose, response: Response) => Promise<Given>,
): Driver => ({
  name,
  interface: "chat-completions",
  packages,
  form: "stream",
  ask: async (sdk, question) => read(sdk, await post(question)),
});

export const parserDrivers: readonly Driver[] = [
  driver("eventsource-parser", ["eventsource-parser"], async ({ createParser }, { body }) => {
    const { add, isDone, end } = reading();
    const parser = createParser({ onEvent: ({ data }: Loose) => add(data) });
    for await (const piece of (body as Loose).pipeThrough(new TextDecoderStream())) {
      parser.feed(piece);
      if (isDone()) break;
    }
    return end();
  }),
  driver("fetch", [], async (_sdk, { body }) => {
    const { add, isDone, end } = reading();
    let rest = "";
    for await (const piece of (body as Loose).pipeThrough(new TextDecoderStream())) {
      const lines = (rest + piece).split(/\r?\n/);
      rest = lines.pop()!;
      for (const line of lines) if (line.startsWith("data:")) add(line.slice(5));
      if (isDone()) break;
    }
    return end();
  }),
];
