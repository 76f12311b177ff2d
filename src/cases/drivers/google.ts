/** Drives the packages of Google, today's and the one before: content whole and streamed. */
import { offeredTools } from "../question-tools.ts";
import { asText, type Driver, type Given, type Loose, type Question } from "./driver.ts";

const upper = (schema: Loose): Loose =>
  Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === "type" ? String(value).toUpperCase() : name === "properties" || isSchema(value) ? upper(value) : value,
    ]),
  );
const isSchema = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

/** Texts that a person reads; thoughts are apart. */
const partsOf = (answer: Loose): Loose[] => answer?.candidates?.[0]?.content?.parts ?? [];

function add(given: Gathered, answer: Loose): void {
  for (const { text, thought, functionCall } of partsOf(answer)) {
    if (text !== undefined && !thought) given.text += text;
    if (functionCall) given.calls.push({ name: functionCall.name, arguments: asText(functionCall.args ?? {}) });
  }
  const finish = answer?.candidates?.[0]?.finishReason;
  if (finish !== undefined) given.finish = finish;
}

const declarations = (): Loose[] =>
  offeredTools.map(({ parameters, ...tool }) => ({ ...tool, parameters: upper(parameters) }));

interface Gathered {
  text: string;
  calls: Loose[];
  finish?: string;
}

export const googleDrivers: readonly Driver[] = [
  {
    name: "google-genai",
    interface: "generate-content",
    packages: ["@google/genai"],
    async ask(sdk, { baseUrl, key, model, prompt, stream, tools, wants, signal, limit }: Question): Promise<Given> {
      const httpOptions = { baseUrl, ...(limit && { timeout: limit }) };
      const { models } = new sdk.GoogleGenAI({ apiKey: key, httpOptions });
      const config = {
        abortSignal: signal,
        ...(tools && { tools: [{ functionDeclarations: declarations() }] }),
        ...(wants === "choices" && { candidateCount: 2 }),
      };
      const asked = { model, contents: prompt, config };
      const given: Gathered = { text: "", calls: [] };
      if (stream) for await (const piece of await models.generateContentStream(asked)) add(given, piece);
      else add(given, await models.generateContent(asked));
      return given;
    },
  },
  {
    name: "google-generative-ai",
    interface: "generate-content",
    packages: ["@google/generative-ai"],
    async ask(sdk, question): Promise<Given> {
      const { baseUrl, key, model: named, prompt, stream, tools, wants, signal, limit } = question;
      const options = { baseUrl, ...(limit && { timeout: limit }) };
      const model = new sdk.GoogleGenerativeAI(key).getGenerativeModel({ model: named }, options);
      const asked = {
        contents: [{ role: "user", parts: [{ text: prompt }] }],
        ...(tools && { tools: [{ functionDeclarations: declarations() }] }),
        ...(wants === "choices" && { generationConfig: { candidateCount: 2 } }),
      };
      const given: Gathered = { text: "", calls: [] };
      // As its README has it: whoever reads the stream need not ask for the whole response, too.
      if (stream) {
        const answer = await model.generateContentStream(asked, { signal });
        for await (const piece of answer.stream) add(given, piece);
      } else add(given, (await model.generateContent(asked, { signal })).response);
      return given;
    },
  },
];
