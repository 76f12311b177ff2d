/** Requests and answers that no example has, made in the words of an interface for the proof of facts. */
import type { Example } from "../check/example.ts";
import type { AnswerFacts, Part, RequestFacts } from "../interfaces/common/facts/model.ts";
import { factData, hasWord } from "../interfaces/fact-data.ts";
import { factWriters } from "../interfaces/fact-writers.ts";
import { jsonResponse } from "../wire/build.ts";
import { requestOf } from "./translate/in-memory.ts";
import type { TranslateOptions } from "./translate/translate.ts";

/** Interfaces of conversations, which can be translated into one another. */
export const conversations: readonly string[] = Object.keys(factWriters).filter((name) =>
  hasWord(factData().request["turns"]!, name),
);

const user = (...parts: Part[]): RequestFacts => ({
  settings: {},
  stream: false,
  system: [],
  turns: [{ role: "user", parts }],
  model: "any",
});

/** A picture of one pixel. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const asked: readonly (readonly [string, RequestFacts])[] = [
  [
    "a picture that is to be looked at coarsely",
    {
      ...user(
        { kind: "text", text: "What is this?" },
        { kind: "image", mediaType: "image/png", data: pixel, detail: "low" },
      ),
      settings: { "media-resolution": "low" },
    },
  ],
  [
    "a document",
    user({ kind: "document", mediaType: "application/pdf", data: Buffer.from("%PDF-1.4").toString("base64") }),
  ],
];

/** Requests of an interface of conversations. */
export function madeRequests(name: string, options: TranslateOptions): readonly Example[] {
  if (!conversations.includes(name)) return [];
  return asked.map(([title, facts]) => ({
    name: title,
    exchange: { request: requestOf(name, facts, options), response: null },
  }));
}

const said: readonly (readonly [string, readonly Part[]])[] = [
  [
    "thoughts before a text",
    [
      { kind: "thinking", text: "They greet me." },
      { kind: "text", text: "Hello." },
    ],
  ],
  ["a sound", [{ kind: "audio", mediaType: "audio/wav", data: "UklGRg==", transcript: "Hello." }]],
];

/** Answers of an interface of conversations. */
export function madeAnswers(name: string, options: TranslateOptions): readonly Example[] {
  const writer = factWriters[name];
  if (!writer || !conversations.includes(name)) return [];
  const request = requestOf(name, user({ kind: "text", text: "Hello." }), options);
  return said.map(([title, parts]) => {
    const answer: AnswerFacts = {
      streamed: false,
      ended: true,
      choices: [{ index: 0, parts, finish: { word: "", means: ["natural"] } }],
    };
    const body = writer.writeAnswer(answer, {
      created: options.now(),
      id: title,
      model: "any",
      asked: { settings: {} },
    });
    return { name: title, exchange: { request, response: jsonResponse(body) } };
  });
}
