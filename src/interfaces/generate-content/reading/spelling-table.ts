/** The members of requests and replies that have names of their own, and the places at which user data begins that keeps its spelling. */

/** One place of a document: an object's members, or an array's items. A place without a table is left as it is. */
export interface NameTable {
  /** Members by their camelCase name. */
  readonly members?: Map<string, NameTable>;
  /** snake_case spellings to camelCase names. */
  readonly aliases?: Map<string, string>;
  readonly items?: NameTable;
  /** Every value of a map whose keys are the user's. */
  readonly values?: NameTable;
  /** An object may stand where the array should. */
  readonly single?: boolean;
}

const leaf: NameTable = {};

function object(members: Readonly<Record<string, NameTable>>, leaves = ""): NameTable {
  const table = new Map(Object.entries(members));
  for (const name of leaves.split(/\s+/)) if (name) table.set(name, leaf);
  const aliases = new Map<string, string>();
  for (const name of table.keys()) {
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (snake !== name) aliases.set(snake, name);
  }
  return { members: table, aliases };
}

const list = (items: NameTable): NameTable => ({ items });
const listOrOne = (items: NameTable): NameTable => ({ items, single: true });

const part = object(
  {
    inlineData: object({}, "mimeType data"),
    fileData: object({}, "mimeType fileUri"),
    functionCall: object({}, "name args"),
    functionResponse: object({}, "name response"),
    executableCode: object({}, "language code"),
    codeExecutionResult: object({}, "outcome output"),
  },
  "text thought thoughtSignature",
);
const content = object({ parts: listOrOne(part) }, "role");
const voice = object({ prebuiltVoiceConfig: object({}, "voiceName") });

const schema = object(
  {},
  "type description enum example nullable format required minimum maximum minItems maxItems minLength maxLength",
);
schema.members?.set("items", schema).set("properties", { values: schema });

/** The body both operations take. */
export const requestNames: NameTable = object(
  {
    contents: listOrOne(content),
    tools: list(
      object({ functionDeclarations: list(object({}, "name description parameters")), codeExecution: object({}) }),
    ),
    toolConfig: object({ functionCallingConfig: object({}, "mode allowedFunctionNames") }),
    safetySettings: list(object({}, "category threshold")),
    systemInstruction: content,
    generationConfig: object(
      {
        responseSchema: schema,
        thinkingConfig: object({}, "includeThoughts thinkingBudget"),
        speechConfig: object(
          {
            voiceConfig: voice,
            multiSpeakerVoiceConfig: object({
              speakerVoiceConfigs: list(object({ voiceConfig: voice }, "speaker")),
            }),
          },
          "languageCode",
        ),
      },
      `stopSequences responseMimeType responseModalities candidateCount maxOutputTokens temperature topP topK seed
      presencePenalty frequencyPenalty responseLogprobs logprobs enableEnhancedCivicAnswers mediaResolution`,
    ),
  },
  "cachedContent",
);

const ratings = list(object({}, "category probability blocked"));
const modalities = list(object({}, "modality tokenCount"));
const token = object({}, "token tokenId logProbability");

/** A reply, one event of a stream, or the body of a failed reply. */
export const replyNames: NameTable = object(
  {
    candidates: list(
      object(
        {
          content: object({ parts: list(part) }, "role"),
          safetyRatings: ratings,
          citationMetadata: object({ citationSources: list(object({}, "startIndex endIndex uri license")) }),
          groundingAttributions: list(
            object({
              sourceId: object({
                groundingPassage: object({}, "passageId partIndex"),
                semanticRetrieverChunk: object({}, "source chunk"),
              }),
            }),
          ),
          groundingMetadata: object(
            {
              groundingChunks: list(object({ web: object({}, "uri title") })),
              groundingSupports: list(
                object(
                  { segment: object({}, "partIndex startIndex endIndex text") },
                  "groundingChunkIndices confidenceScores",
                ),
              ),
              searchEntryPoint: object({}, "renderedContent sdkBlob"),
              retrievalMetadata: object({}, "providerSearchDynamicRetrievalScore"),
            },
            "webSearchQueries",
          ),
          logprobsResult: object({
            topCandidates: list(object({ candidates: list(token) })),
            chosenCandidates: list(token),
          }),
          urlRetrievalMetadata: object({ urlRetrievalContexts: list(object({}, "retrievedUrl")) }),
          urlContextMetadata: object({ urlMetadata: list(object({}, "retrievedUrl urlRetrievalStatus")) }),
        },
        "finishReason tokenCount avgLogprobs index",
      ),
    ),
    promptFeedback: object({ safetyRatings: ratings }, "blockReason"),
    usageMetadata: object(
      {
        promptTokensDetails: modalities,
        candidatesTokensDetails: modalities,
        cacheTokensDetails: modalities,
        toolUsePromptTokensDetails: modalities,
      },
      `promptTokenCount cachedContentTokenCount candidatesTokenCount totalTokenCount toolUsePromptTokenCount
      thoughtsTokenCount`,
    ),
    error: object({ details: list(object({ fieldViolations: list(object({}, "field description")) })) }),
  },
  "modelVersion responseId",
);
