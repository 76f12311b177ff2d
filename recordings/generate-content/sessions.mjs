/** Sessions of the official SDK with generate content. */
import { GoogleGenAI } from "@google/genai";
import {
  bothTools,
  byHand,
  counting,
  drain,
  key,
  laterSureToOccur,
  refused,
  sureToOccur,
  withoutKey,
} from "../common.mjs";
import { emptyPage, fullPage, largePicture, pixels, silence, smallPicture } from "../media.mjs";

const api = (base) => new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: base } }).models;
const question = "What is the weather in Paris?";

/** `stream` has the reply streamed; `contents` asks something else; what `beside` lists is asked after it, to be compared with it. */
const content = (section, name, config, { stream = false, contents = question, beside = [], ...more } = {}) => ({
  interface: "generate-content",
  section,
  name,
  ...more,
  run: async (base) => {
    const request = { model: "generate-model", contents, config };
    if (more.violates) return refused(api(base).generateContent(request));
    if (stream) return drain(await api(base).generateContentStream(request));
    await api(base).generateContent(request);
    for (const other of beside) await api(base).generateContent({ ...request, contents: other });
  },
});

const user = (...parts) => ({ role: "user", parts });
const model = (...parts) => ({ role: "model", parts });
const text = (words) => ({ text: words });
const inline = (mimeType, data) => [user({ inlineData: { mimeType, data } }, text("What is this?"))];
/** What is asked about pictures, sounds and documents: without them, and with one that says more. */
const withMore = (mimeType, data) => [[user(text("What is this?"))], inline(mimeType, data)];
const city = { type: "OBJECT", properties: { city: { type: "STRING" } }, required: ["city"] };
const getWeather = { name: "get_weather", description: "Weather of a city", parameters: city };
const getTime = { name: "get_time", description: "Time of day in a city", parameters: city };
const tools = [{ functionDeclarations: [getWeather] }];
const bothDeclared = [{ functionDeclarations: [getWeather, getTime] }];
const calling = (mode, more = {}) => ({ functionCallingConfig: { mode, ...more } });
const mustCall = calling("ANY");
const voice = (voiceName) => ({ prebuiltVoiceConfig: { voiceName } });
const thinkingConfig = { includeThoughts: true, thinkingBudget: 64 };
const asJson = { responseMimeType: "application/json", responseSchema: city };
const path = "/v1beta/models/generate-model:generateContent";

const safety = (...settings) => ({
  safetySettings: settings.map(([category, threshold]) => ({ category: `HARM_CATEGORY_${category}`, threshold })),
});

const roundTrip = {
  interface: "generate-content",
  section: "tools",
  name: "round-trip",
  needs: ["tools"],
  run: async (base) => {
    const ask = user(text(question));
    const request = { model: "generate-model", config: { tools, toolConfig: mustCall } };
    const first = await api(base).generateContent({ ...request, contents: [ask] });
    const answer = { functionResponse: { name: "get_weather", response: { degrees: 18 } } };
    await api(base).generateContent({
      ...request,
      contents: [ask, first.candidates[0].content, user(answer)],
      config: { tools },
    });
  },
};

export const contentSessions = [
  content("response", "text", {}),
  content("response", "system-instruction", { systemInstruction: "Answer briefly.", temperature: 0.5 }),
  content("response", "two-candidates", { candidateCount: 2 }, { needs: ["candidates"] }),
  content("response", "token-bound", { maxOutputTokens: 2 }),
  content("response", "stop-sequence", { stopSequences: sureToOccur, temperature: 0 }, { contents: counting }),
  content("response", "stop-list", { stopSequences: laterSureToOccur, temperature: 0 }, { contents: counting }),

  content(
    "content",
    "model-turns",
    {},
    {
      contents: [
        user(text("Name a city.")),
        model(text("Paris.")),
        user(text("What is the weather there?"), text("Be brief.")),
      ],
    },
  ),
  content(
    "content",
    "image",
    { mediaResolution: "MEDIA_RESOLUTION_LOW" },
    {
      contents: inline("image/png", smallPicture),
      needs: ["image-input"],
      beside: withMore("image/png", largePicture),
    },
  ),
  content(
    "content",
    "audio",
    {},
    {
      contents: inline("audio/wav", silence()),
      needs: ["audio-input"],
      beside: withMore("audio/wav", silence(3)),
    },
  ),
  content(
    "content",
    "document",
    {},
    {
      contents: inline("application/pdf", emptyPage()),
      needs: ["documents"],
      beside: withMore("application/pdf", fullPage()),
    },
  ),
  byHand(
    "generate-content",
    "content",
    "snake-case",
    `${path}?key=${key}`,
    {
      system_instruction: { parts: [text("Answer briefly.")] },
      contents: [user(text(question))],
      generationConfig: { response_mime_type: "text/plain" },
    },
    { needs: ["snake-case"] },
  ),
  byHand(
    "generate-content",
    "content",
    "snake-case-image",
    `${path}?key=${key}`,
    { contents: [user({ inline_data: { mime_type: "image/png", data: pixels } }, text("What is this?"))] },
    { needs: ["image-input", "snake-case"] },
  ),

  content("generation-config", "json", asJson, { needs: ["structured-output"] }),
  content(
    "generation-config",
    "enum",
    { responseMimeType: "text/x.enum", responseSchema: { type: "STRING", enum: ["mild", "cold"] } },
    { needs: ["structured-output"] },
  ),
  content("generation-config", "log-probabilities", { responseLogprobs: true, logprobs: 2 }, { needs: ["logprobs"] }),
  content("generation-config", "sampling", { topP: 0.9, topK: 20, seed: 7, responseMimeType: "text/plain" }),
  content("generation-config", "penalties", { presencePenalty: 0.5, frequencyPenalty: 0.5 }, { needs: ["penalties"] }),
  content("generation-config", "thinking", { thinkingConfig }, { needs: ["thinking"] }),
  content(
    "generation-config",
    "speech",
    {
      responseModalities: ["AUDIO"],
      speechConfig: { voiceConfig: voice("Kore"), languageCode: "en-US" },
    },
    { contents: "Say: it is mild in Paris.", needs: ["speech"] },
  ),
  content(
    "generation-config",
    "two-speakers",
    {
      responseModalities: ["AUDIO"],
      speechConfig: {
        multiSpeakerVoiceConfig: {
          speakerVoiceConfigs: [
            { speaker: "Ann", voiceConfig: voice("Kore") },
            { speaker: "Bob", voiceConfig: voice("Puck") },
          ],
        },
      },
    },
    { contents: "Say as Ann and Bob. Ann: Is it mild? Bob: It is.", needs: ["speech"] },
  ),
  content(
    "generation-config",
    "picture",
    { responseModalities: ["TEXT", "IMAGE"] },
    { contents: "Draw a red circle.", needs: ["image-output"] },
  ),

  content("streaming", "text", {}, { stream: true }),
  content("streaming", "function-call", { tools, toolConfig: mustCall }, { stream: true, needs: ["tools"] }),
  content("streaming", "no-function", { tools, toolConfig: calling("NONE") }, { stream: true, needs: ["tools"] }),
  content("streaming", "json", asJson, { stream: true, needs: ["structured-output"] }),
  content("streaming", "two-candidates", { candidateCount: 2 }, { stream: true, needs: ["candidates"] }),
  content("streaming", "stop-sequence", { stopSequences: sureToOccur }, { stream: true, contents: counting }),
  content("streaming", "token-bound", { maxOutputTokens: 2 }, { stream: true }),
  content("streaming", "thinking", { thinkingConfig }, { stream: true, needs: ["thinking"] }),
  content(
    "streaming",
    "code-execution",
    { tools: [{ codeExecution: {} }] },
    { stream: true, contents: "Run code that adds the numbers from 1 to 99.", needs: ["code-execution"] },
  ),

  content("tools", "function-call", { tools, toolConfig: mustCall }, { needs: ["tools"] }),
  roundTrip,
  content(
    "tools",
    "code-execution",
    { tools: [{ codeExecution: {} }] },
    { contents: "Run code that adds the numbers from 1 to 99.", needs: ["code-execution"] },
  ),
  content("tools", "no-function", { tools, toolConfig: calling("NONE") }, { needs: ["tools"] }),
  content("tools", "model-chooses", { tools, toolConfig: calling("AUTO") }, { needs: ["tools"] }),
  content("tools", "unspecified-mode", { tools, toolConfig: calling("MODE_UNSPECIFIED") }, { needs: ["tools"] }),
  content(
    "tools",
    "allowed-function",
    { tools: bothDeclared, toolConfig: calling("ANY", { allowedFunctionNames: ["get_time"] }) },
    { needs: ["tools"] },
  ),
  content(
    "tools",
    "two-calls",
    { tools: bothDeclared, toolConfig: mustCall },
    { contents: bothTools, needs: ["tools"] },
  ),
  content(
    "tools",
    "two-results",
    { tools: bothDeclared },
    {
      contents: [
        user(text(question)),
        model(
          { functionCall: { name: "get_weather", args: { city: "Paris" } } },
          { functionCall: { name: "get_time", args: { city: "Paris" } } },
        ),
        user(
          { functionResponse: { name: "get_weather", response: { degrees: 18 } } },
          { functionResponse: { name: "get_time", response: { time: "noon" } } },
        ),
      ],
      needs: ["tools"],
    },
  ),
  byHand(
    "generate-content",
    "tools",
    "snake-case",
    `${path}?key=${key}`,
    {
      contents: [user(text(question))],
      tools: [{ function_declarations: [getWeather] }],
      tool_config: { function_calling_config: { mode: "ANY" } },
    },
    { needs: ["tools", "snake-case"] },
  ),

  content("safety", "thresholds", safety(["HARASSMENT", "BLOCK_ONLY_HIGH"])),
  content(
    "safety",
    "more-thresholds",
    safety(
      ["HARASSMENT", "HARM_BLOCK_THRESHOLD_UNSPECIFIED"],
      ["HATE_SPEECH", "BLOCK_LOW_AND_ABOVE"],
      ["SEXUALLY_EXPLICIT", "BLOCK_MEDIUM_AND_ABOVE"],
      ["DANGEROUS_CONTENT", "BLOCK_ONLY_HIGH"],
    ),
  ),
  content("safety", "no-filter", safety(["HARASSMENT", "BLOCK_NONE"], ["HATE_SPEECH", "OFF"])),

  content(
    "grounding",
    "web-search",
    { tools: [{ googleSearch: {} }] },
    {
      contents: "Search the web: who won the last football world cup?",
      needs: ["grounding"],
      undocumented: "a tool that searches the web",
    },
  ),
  content(
    "grounding",
    "addresses",
    { tools: [{ urlContext: {} }] },
    {
      contents: "What does https://www.iana.org/help/example-domains say?",
      needs: ["url-context"],
      undocumented: "a tool that reads addresses",
    },
  ),

  withoutKey("generate-content", path, { contents: [{ parts: [{ text: "Hello" }] }] }, ["generate-content.auth.key"]),
  content(
    "errors",
    "temperature-too-high",
    { temperature: 3 },
    { violates: ["generate-content.generation-config.temperature-range"] },
  ),
];
