/** Breaks one fact of an answer, whole or in the pieces of a stream. */
import type { AnswerFacts, ChoiceFacts, Finish, Part, UsageFacts } from "../../interfaces/common/facts/model.ts";
import type { Ways } from "./breakage.ts";

type Answers = Ways<AnswerFacts>;

const eachChoice =
  (change: (choice: ChoiceFacts) => ChoiceFacts) =>
  (answer: AnswerFacts): AnswerFacts => ({ ...answer, choices: answer.choices.map(change) });

const eachSaid = (change: (part: Part) => Part | undefined) =>
  eachChoice((choice) => ({ ...choice, parts: choice.parts.flatMap((part) => change(part) ?? []) }));

const saying = (part: Part) => eachChoice((choice) => ({ ...choice, parts: [...choice.parts, part] }));

const isWords = ({ kind }: Part): boolean => kind === "text" || kind === "refusal";
const isMedium = ({ kind }: Part): boolean => ["image", "audio", "video", "document"].includes(kind);

export const otherFinish = ({ means }: Finish): Finish =>
  means[0] === "length" ? { word: "changed", means: ["natural"] } : { word: "changed", means: ["length"] };

const lacking =
  (name: keyof ChoiceFacts) =>
  (choice: ChoiceFacts): ChoiceFacts => {
    const { [name]: _, ...rest } = choice;
    return rest as ChoiceFacts;
  };

export const otherUsage = (usage: UsageFacts): UsageFacts => ({
  ...usage,
  input: (usage.input ?? 0) + 1_000_003,
  output: 1_000_033,
});

/** A call that nobody made. */
export const call = { kind: "call", id: "invented", name: "invented", arguments: "{}" } as const;

/** How facts of answers are broken. */
export const ofAnswers: Readonly<Record<string, Answers>> = {
  text: {
    drop: eachSaid((part) => (isWords(part) ? undefined : part)),
    change: eachSaid((part) => (part.kind === "text" ? { ...part, text: `${part.text} Changed.` } : part)),
    invent: (answer) =>
      answer.choices.some(({ parts }) => parts.some(isWords))
        ? answer
        : saying({ kind: "text", text: "Invented." })(answer),
  },
  "tool-calls": {
    drop: eachSaid((part) => (part.kind === "call" ? undefined : part)),
    change: eachSaid((part) => (part.kind === "call" ? { ...part, arguments: '{"changed":true}' } : part)),
    invent: saying(call),
  },
  thinking: {
    drop: eachSaid((part) => (part.kind === "thinking" ? undefined : part)),
    change: eachSaid((part) => (part.kind === "thinking" ? { ...part, text: "Changed." } : part)),
    invent: saying({ kind: "thinking", text: "Nobody thought this." }),
  },
  media: { drop: eachSaid((part) => (isMedium(part) ? undefined : part)) },
  finish: {
    change: eachChoice((choice) => (choice.finish ? { ...choice, finish: otherFinish(choice.finish) } : choice)),
  },
  "log-probabilities": { drop: eachChoice(lacking("logs")) },
  sources: { drop: eachChoice(lacking("sources")) },
  usage: {
    drop: ({ usage: _, ...answer }) => answer,
    change: (answer) => (answer.usage ? { ...answer, usage: otherUsage(answer.usage) } : answer),
  },
  choices: {
    drop: (answer) => ({ ...answer, choices: answer.choices.slice(0, 1) }),
    invent: (answer) => ({
      ...answer,
      choices: answer.choices.flatMap((one, i) => [
        { ...one, index: 2 * i },
        { ...one, index: 2 * i + 1 },
      ]),
    }),
  },
  error: {
    drop: (answer) => {
      const { error, ...rest } = answer;
      const choice: ChoiceFacts = { index: 0, parts: [], finish: { word: "", means: ["natural"] } };
      return error ? { ...rest, ended: true, choices: [choice] } : answer;
    },
    change: (answer) => {
      const { error } = answer;
      return error
        ? { ...answer, error: { class: error.class === "rate" ? "server" : "rate", message: "Changed." } }
        : answer;
    },
    invent: (answer) => (answer.error ? answer : { ...answer, error: { class: "server", message: "Invented." } }),
  },
  pictures: {
    drop: (answer) => ({ ...answer, ...(answer.pictures && { pictures: [] }) }),
    change: (answer) => ({
      ...answer,
      ...(answer.pictures && {
        pictures: answer.pictures.map((one) => ({ ...one, data: Buffer.from("other bytes").toString("base64") })),
      }),
    }),
  },
  "revised-prompt": {
    drop: (answer) => ({
      ...answer,
      ...(answer.pictures && { pictures: answer.pictures.map(({ revised: _, ...one }) => one) }),
    }),
    invent: (answer) => ({
      ...answer,
      ...(answer.pictures && { pictures: answer.pictures.map((one) => ({ revised: "Nobody revised this.", ...one })) }),
    }),
  },
};
