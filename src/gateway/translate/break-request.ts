/** Breaks one fact of a request. */
import type { MediaKind, MediaPart, Part, RequestFacts, Turn } from "../../interfaces/common/facts/model.ts";
import { factData } from "../../interfaces/fact-data.ts";
import { isObject } from "../../wire/json.ts";
import type { Ways } from "./breakage.ts";

type Requests = Ways<RequestFacts>;

/** Parts of all turns, changed; where a part becomes nothing, it is left out. */
const eachPart =
  (change: (part: Part, turn: Turn) => Part | undefined) =>
  (facts: RequestFacts): RequestFacts => ({
    ...facts,
    turns: facts.turns.map((turn) => ({ ...turn, parts: turn.parts.flatMap((part) => change(part, turn) ?? []) })),
  });

const without =
  (name: keyof RequestFacts) =>
  (facts: RequestFacts): RequestFacts => {
    const { [name]: _, ...rest } = facts;
    return rest as RequestFacts;
  };

const tiny = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const media = (kind: MediaKind): Requests => ({
  drop: eachPart((part) => (part.kind === kind ? undefined : part)),
  change: eachPart((part) =>
    part.kind === kind && part.data ? { ...part, data: Buffer.from("other bytes").toString("base64") } : part,
  ),
  invent: (facts) => {
    const types = { image: "image/png", audio: "audio/wav", video: "video/mp4", document: "application/pdf" };
    const medium: MediaPart = { kind, mediaType: types[kind], data: tiny };
    return { ...facts, turns: [...facts.turns, { role: "user", parts: [medium] }] };
  },
});

/** A value of the same kind that is another one. */
function another(value: unknown): unknown {
  if (typeof value === "number") return value === 0 ? 0.25 : Number.isInteger(value) ? value + 1 : value * 0.9;
  if (typeof value === "boolean") return !value;
  if (typeof value === "string") return `${value} changed`;
  if (Array.isArray(value)) return value.map(another);
  if (!isObject(value)) return value;
  const [[name, one] = ["changed", 1], ...rest] = Object.entries(value);
  return Object.fromEntries([[name, another(one)], ...rest]);
}

const samples: Readonly<Record<string, unknown>> = {
  "sampling.temperature": 0.3,
  "sampling.top-p": 0.4,
  "sampling.top-k": 3,
  "limits.max-tokens": 77,
  "stop.sequences": ["INVENTED"],
  penalties: { presence: 0.7 },
  seed: 4711,
  "logit-bias": { "1": 1 },
  "log-probabilities": { on: true },
  choices: 3,
  user: "nobody",
  metadata: { nobody: "asked" },
  store: true,
  "service-tier": "flex",
  "stream.usage": true,
  prompt: "Nobody asked for this.",
  size: "256x256",
  style: "natural",
  "picture-form": "b64_json",
};

const setting = (fact: string): Requests => {
  const set = (facts: RequestFacts, value: unknown): RequestFacts => ({
    ...facts,
    settings: { ...facts.settings, [fact]: value },
  });
  const sample = samples[fact];
  return {
    drop: (facts) => (fact in facts.settings ? set(facts, undefined) : facts),
    change: (facts) => (fact in facts.settings ? set(facts, another(facts.settings[fact])) : facts),
    ...(sample !== undefined && { invent: (facts) => (fact in facts.settings ? facts : set(facts, sample)) }),
  };
};

const added = (facts: RequestFacts, part: Part): RequestFacts => ({
  ...facts,
  turns: [...facts.turns, { role: part.kind === "call" ? "assistant" : "user", parts: [part] }],
});

/** How facts of requests are broken that are more than one value. */
const ofRequests: Readonly<Record<string, Requests>> = {
  system: {
    drop: (facts) => ({ ...facts, system: [] }),
    change: (facts) => ({ ...facts, system: facts.system.map((text) => `${text} Changed.`) }),
    invent: (facts) => (facts.system.length > 0 ? facts : { ...facts, system: ["Nobody said this."] }),
  },
  turns: {
    drop: (facts) => {
      const last = facts.turns.findLast(({ parts }) => parts.some(({ kind }) => kind === "text"));
      return eachPart((part, turn) =>
        turn === last && (part.kind === "text" || part.kind === "refusal") ? undefined : part,
      )(facts);
    },
    change: eachPart((part) => (part.kind === "text" ? { ...part, text: `${part.text} Changed.` } : part)),
    invent: (facts) => added(facts, { kind: "text", text: "Nobody said this." }),
  },
  image: pictures(),
  audio: media("audio"),
  video: media("video"),
  document: media("document"),
  "tool-call": {
    drop: eachPart((part) => (part.kind === "call" ? undefined : part)),
    change: eachPart((part) => (part.kind === "call" ? { ...part, arguments: '{"changed":true}' } : part)),
    invent: (facts) => added(facts, { kind: "call", id: "invented", name: "invented", arguments: "{}" }),
  },
  "tool-result": {
    drop: eachPart((part) => (part.kind === "result" ? undefined : part)),
    change: eachPart((part) => {
      if (part.kind !== "result") return part;
      const { value: _, ...rest } = part;
      return { ...rest, content: [{ kind: "text", text: "changed" }] };
    }),
    invent: (facts) =>
      added(facts, { kind: "result", id: "invented", name: "invented", content: [{ kind: "text", text: "invented" }] }),
  },
  tools: {
    drop: without("tools"),
    change: (facts) => ({
      ...facts,
      ...(facts.tools && { tools: facts.tools.map((tool) => ({ ...tool, description: "Changed." })) }),
    }),
    invent: (facts) => ({
      ...facts,
      tools: [...(facts.tools ?? []), { name: "invented", description: "Nobody declared it." }],
    }),
  },
  "tools.choice": {
    drop: without("choice"),
    change: (facts) =>
      facts.choice ? { ...facts, choice: { mode: facts.choice.mode === "required" ? "auto" : "required" } } : facts,
    invent: (facts) => (facts.choice || !facts.tools ? facts : { ...facts, choice: { mode: "required" } }),
  },
  "tools.parallel": {
    drop: without("parallel"),
    change: (facts) => (facts.parallel === undefined ? facts : { ...facts, parallel: !facts.parallel }),
    invent: (facts) => (facts.parallel === undefined && facts.tools ? { ...facts, parallel: false } : facts),
  },
  thinking: {
    drop: without("thinking"),
    change: (facts) => {
      const { thinking } = facts;
      if (!thinking) return facts;
      return { ...facts, thinking: thinking.on ? { on: false } : { on: true, budget: 2_048 } };
    },
    invent: (facts) => (facts.thinking ? facts : { ...facts, thinking: { on: true, budget: 2_048 } }),
  },
  "structured-output": {
    drop: without("output"),
    change: (facts) => (facts.output?.schema === undefined ? facts : { ...facts, output: { form: "json" } }),
    invent: (facts) => (facts.output ? facts : { ...facts, output: { form: "json" } }),
  },
  stream: { change: (facts) => (facts.stream ? { ...facts, stream: false } : facts) },
  "stream.usage": {
    drop: (facts) =>
      facts.settings["stream.usage"] === true
        ? { ...facts, settings: { ...facts.settings, "stream.usage": false } }
        : facts,
  },
  mask: files("mask"),
  modalities: { drop: setting("modalities").drop! },
  "web-search": { drop: setting("web-search").drop! },
  "code-execution": {
    drop: setting("code-execution").drop!,
    invent: (facts) => ({ ...facts, settings: { "code-execution": {}, ...facts.settings } }),
  },
  "tools.built-in": { drop: setting("tools.built-in").drop! },
  "media-resolution": {
    drop: (facts) =>
      setting("media-resolution").drop!(eachPart((part) => ("detail" in part ? withoutDetail(part) : part))(facts)),
  },
  "cache-control": {
    drop: (facts) => {
      const unmarked = <T extends object>(part: T): T => {
        const { cache: _, ...rest } = part as T & { cache?: true };
        return rest as T;
      };
      const marked = eachPart((part) =>
        unmarked(part.kind === "result" ? { ...part, content: part.content.map(unmarked) } : part),
      )(facts);
      const builtIn = facts.settings["tools.built-in"];
      return {
        ...marked,
        ...(facts.tools && { tools: facts.tools.map(unmarked) }),
        ...(Array.isArray(builtIn) && {
          settings: {
            ...facts.settings,
            "tools.built-in": builtIn.map((tool: Record<string, unknown>) =>
              Object.fromEntries(Object.entries(tool).filter(([name]) => !/^cache/.test(name))),
            ),
          },
        }),
      };
    },
  },
};

function withoutDetail(part: MediaPart): MediaPart {
  const { detail: _, ...rest } = part;
  return rest;
}

function files(name: string): Requests {
  return {
    drop: (facts) => {
      const { [name]: _, ...rest } = facts.files ?? {};
      return { ...facts, ...(facts.files && { files: rest }) };
    },
    change: (facts) => {
      const own = facts.files?.[name];
      return own
        ? {
            ...facts,
            files: { ...facts.files, [name]: own.map((file) => ({ ...file, bytes: Buffer.from("other bytes") })) },
          }
        : facts;
    },
  };
}

/** Pictures of prompts, and those that forms send. */
function pictures(): Requests {
  const [sent, inPrompts] = [files("image"), media("image")];
  return {
    drop: (facts) => sent.drop!(inPrompts.drop!(facts)),
    change: (facts) => sent.change!(inPrompts.change!(facts)),
    invent: (facts) => {
      const own = facts.files?.["image"];
      return own ? { ...facts, files: { ...facts.files, image: [...own, own[0]!] } } : inPrompts.invent!(facts);
    },
  };
}

/** The ways in which a fact of requests can be broken; undefined where it cannot. */
export function requestsOf(fact: string): Requests | undefined {
  const own = ofRequests[fact];
  if (own) return own;
  const entry = factData().request[fact];
  return entry && entry.kind !== "coded" ? setting(fact) : undefined;
}
