/** Drives bare parsers of event streams behind `fetch`, and ten lines that use none, on chat completions. */
import { question as questionOf } from "../chat-completions/question.ts";
import type { Driver, Given, Loose, Question } from "./driver.ts";

/** Adds what a chunk says, as a small program does. */
function add(given: { text: string; finish?: string }, data: string): void {
  const choice = JSON.parse(data).choices?.[0];
  given.text += choice?.delta?.content ?? "";
  if (choice?.finish_reason) given.finish = choice.finish_reason;
}

async function post(question: Question): Promise<Response> {
  const { path, headers, body } = questionOf({ ...question, stream: true, tools: false });
  const response = await fetch(question.baseUrl + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers } as Record<string, string>,
    body: JSON.stringify(body),
    signal: question.signal,
  });
  if (!response.ok) throw Object.assign(new Error(`status ${response.status}`), { status: response.status });
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
    const given = { text: "" };
    const parser = createParser({ onEvent: ({ data }: Loose) => data !== "[DONE]" && add(given, data) });
    for await (const piece of (body as Loose).pipeThrough(new TextDecoderStream())) parser.feed(piece);
    return { ...given, calls: [] };
  }),
  driver("fetch", [], async (_sdk, { body }) => {
    const given = { text: "" };
    let rest = "";
    for await (const piece of (body as Loose).pipeThrough(new TextDecoderStream())) {
      const lines = (rest + piece).split(/\r?\n/);
      rest = lines.pop()!;
      for (const line of lines)
        if (line.startsWith("data:") && line.slice(5).trim() !== "[DONE]") add(given, line.slice(5));
    }
    return { ...given, calls: [] };
  }),
];
