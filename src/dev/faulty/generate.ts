/** Generate content of the small server. */
import { type Answer, type IncomingRequest, integerAt, isJson, type Json, objectAt, objectsAt } from "./answer.ts";
import { called, echo, filled, heard, promptTokens, type Speech, speak } from "./model.ts";

/** A member by its name, or by the snake_case spelling that samples use as well. */
function member(value: Json, name: string): unknown {
  return value[name] ?? value[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}
const object = (value: Json, name: string): Json => objectAt({ it: member(value, name) }, "it");
const objects = (value: Json, name: string): Json[] => objectsAt({ it: [member(value, name) ?? []].flat() }, "it");

const silence = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

const categories = ["HARASSMENT", "HATE_SPEECH", "SEXUALLY_EXPLICIT", "DANGEROUS_CONTENT"];

interface Candidate {
  readonly parts: Json[];
  readonly speech: Speech;
  readonly rest: Json;
}

function callsOf(body: Json, text: string): Json[] {
  const config = object(object(body, "toolConfig"), "functionCallingConfig");
  const allowed = [member(config, "allowedFunctionNames") ?? []].flat();
  const functions = objects(body, "tools")
    .flatMap((tool) => objects(tool, "functionDeclarations"))
    .map(({ name, parameters }) => ({ name: String(name), parameters }))
    .filter(({ name }) => allowed.length === 0 || allowed.includes(name));
  const answered = objects(objects(body, "contents").at(-1) ?? {}, "parts").some((part) =>
    isJson(member(part, "functionResponse")),
  );
  const mode = config["mode"];
  if (mode === "NONE" || (answered && mode !== "ANY")) return [];
  return called(functions, text, mode === "ANY", false).map(({ name, parameters }) => ({
    functionCall: { name, args: parameters === undefined ? {} : filled(parameters) },
  }));
}

function logprobsOf(config: Json, tokens: readonly string[]): Json {
  if (member(config, "responseLogprobs") !== true || tokens.length === 0) return {};
  const one = (token: string, rank: number): Json => ({
    token,
    tokenId: token.length + rank,
    logProbability: -1 - rank,
  });
  const top = integerAt({ logprobs: config["logprobs"] }, "logprobs") ?? 0;
  return {
    avgLogprobs: -1,
    logprobsResult: {
      topCandidates: tokens.map((token) => ({
        candidates: Array.from({ length: top }, (_, rank) => one(rank === 0 ? token : `${token}${rank}`, rank)),
      })),
      chosenCandidates: tokens.map((token) => one(token, 0)),
    },
  };
}

function candidateOf(body: Json, text: string): Candidate {
  const config = object(body, "generationConfig");
  const schema = member(config, "responseSchema");
  const type = member(config, "responseMimeType");
  const modalities = [member(config, "responseModalities") ?? []].flat();
  const calls = callsOf(body, text);
  const runs = objects(body, "tools").some((tool) => isJson(member(tool, "codeExecution")));
  const said =
    type === "application/json"
      ? JSON.stringify(schema === undefined ? { heard: text } : filled(schema))
      : type === "text/x.enum"
        ? String(filled(schema ?? { type: "string" }))
        : echo(text);
  const silent = calls.length > 0 || (modalities.length > 0 && !modalities.includes("TEXT"));
  const bound = integerAt({ it: member(config, "maxOutputTokens") }, "it");
  const speech = speak(silent ? "" : said, member(config, "stopSequences"), bound);
  const parts = [
    ...calls,
    ...(runs && calls.length === 0
      ? [
          { executableCode: { language: "PYTHON", code: "print(6 * 7)" } },
          { codeExecutionResult: { outcome: "OUTCOME_OK", output: "42\n" } },
        ]
      : []),
    ...(modalities.includes("IMAGE") ? [{ inlineData: { mimeType: "image/png", data: dot } }] : []),
    ...(modalities.includes("AUDIO") ? [{ inlineData: { mimeType: "audio/wav", data: silence } }] : []),
  ];
  return {
    parts,
    speech,
    rest: {
      finishReason: speech.cut ? "MAX_TOKENS" : "STOP",
      safetyRatings: categories.map((name) => ({ category: `HARM_CATEGORY_${name}`, probability: "NEGLIGIBLE" })),
      tokenCount: speech.tokens.length,
      ...logprobsOf(config, speech.tokens),
    },
  };
}

export function generate({ body, serial, path, query }: IncomingRequest): Answer {
  const text = heard(objects(body, "contents").findLast(({ role }) => role !== "model")?.["parts"]);
  const count = integerAt({ it: member(object(body, "generationConfig"), "candidateCount") }, "it") ?? 1;
  const made = Array.from({ length: Math.max(1, count) }, () => candidateOf(body, text));
  const prompt = promptTokens(body["contents"], /"(?:inline_?data|file_?data)":/gi);
  const spoken = made.reduce((sum, { speech }) => sum + speech.tokens.length, 0);
  const last = {
    usageMetadata: {
      promptTokenCount: prompt,
      candidatesTokenCount: spoken,
      totalTokenCount: prompt + spoken,
      promptTokensDetails: [{ modality: "TEXT", tokenCount: prompt }],
    },
  };
  const head = { modelVersion: path.split("/").pop()?.split(":")[0], responseId: `response-${serial}` };
  const partsOf = ({ parts, speech }: Candidate): Json[] => [
    ...parts,
    ...(speech.tokens.length > 0 ? [{ text: speech.tokens.join("") }] : []),
  ];
  const candidates = made.map((one, index) => ({
    content: { role: "model", parts: partsOf(one) },
    index,
    ...one.rest,
  }));
  if (!path.endsWith(":streamGenerateContent")) return { body: { candidates, ...last, ...head } };
  const events = made.flatMap(({ parts, speech, rest }, index) => {
    const pieces = [...parts, ...speech.tokens.map((token) => ({ text: token }))];
    return pieces.map((part, i) => ({
      candidates: [{ content: { role: "model", parts: [part] }, index, ...(i === pieces.length - 1 && rest) }],
    }));
  });
  const all = events.map((event, i) => ({ ...event, ...(i === events.length - 1 && last), ...head }));
  // Without alt=sse the document says nothing of the form; a list of all events is what services send.
  if (query.get("alt") !== "sse") return { body: all as unknown as Json };
  return { events: all.map((data) => ({ data })) };
}
