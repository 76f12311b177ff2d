/** Rules on the reasoning series: which models belong to it is knowledge that bindings supply (reading X-MODEL-CAPS). */
import type { Fault, Rule, Undecided } from "../../../check/rule.ts";
import type { Subject } from "../../../check/subject.ts";
import { editJson } from "../../../wire/edit.ts";
import type { Editable } from "../reading/deprecated.ts";
import { messagesOf } from "../reading/messages.ts";

function modelOf(subject: Subject): string | undefined {
  const { model } = subject.requestJson;
  return typeof model === "string" ? model : undefined;
}

/** Whether the request's model is of the reasoning series, or what would have to be known. */
function reasoning(subject: Subject): boolean | Undecided {
  const model = modelOf(subject) ?? "";
  return (
    subject.names.isClass(model, "reasoning") ?? {
      needs: `bind models.reasoning or models.not-reasoning for ${JSON.stringify(model)}`,
    }
  );
}

const has = (subject: Subject, member: string): boolean =>
  modelOf(subject) !== undefined && (subject.requestJson[member] ?? null) !== null;

const withModel = (model: string) => (body: Editable) => void (body["model"] = model);

export const rules: readonly Rule[] = [
  {
    clause: "chat-completions.request.reasoning-effort-models",
    applies: (subject) => has(subject, "reasoning_effort"),
    *check(subject): Iterable<Fault | Undecided> {
      const known = reasoning(subject);
      if (typeof known === "object") yield known;
      else if (!known)
        yield {
          side: "request",
          in: "body",
          pointer: "/reasoning_effort",
          expected: "no reasoning_effort for a model outside the reasoning series",
          actual: subject.requestJson["reasoning_effort"],
        };
    },
    spoil: (exchange) => editJson(exchange, "request", withModel("not-reasoning")),
  },
  {
    clause: "chat-completions.request.max-tokens-models",
    applies: (subject) => has(subject, "max_tokens") || has(subject, "max_completion_tokens"),
    *check(subject): Iterable<Fault | Undecided> {
      if (!has(subject, "max_tokens")) return;
      const known = reasoning(subject);
      if (typeof known === "object") yield known;
      else if (known)
        yield {
          side: "request",
          in: "body",
          pointer: "/max_tokens",
          expected: "max_completion_tokens for a model of the reasoning series",
          actual: subject.requestJson["max_tokens"],
        };
    },
    spoil(exchange) {
      let isOne = false;
      // The same model before and after: what refuses another one minds no bound.
      const changed = editJson(exchange, "request", ({ max_completion_tokens: bound, ...rest }: Editable) => {
        isOne = rest["model"] === "reasoning" && bound !== undefined;
        return { ...rest, max_tokens: bound };
      });
      return isOne ? changed : undefined;
    },
  },
  {
    clause: "chat-completions.conversation.system-role-replaced",
    applies: (subject) => messagesOf(subject).some(({ role }) => role === "system" || role === "developer"),
    *check(subject): Iterable<Fault | Undecided> {
      const system = messagesOf(subject).filter(({ role }) => role === "system");
      if (system.length === 0) return;
      const known = reasoning(subject);
      if (typeof known === "object") yield known;
      for (const { pointer } of system)
        yield {
          side: "request",
          in: "body",
          pointer: `${pointer}/role`,
          expected: '"developer"',
          actual: "system",
          reading: { id: "C-SYSTEM-DEPRECATED", default: known === true ? "note" : "off", strict: "note" },
        };
    },
    spoil: (exchange) =>
      editJson(exchange, "request", (body: Editable) => {
        const messages = body["messages"] as Editable[];
        const first = messages.find(({ role }) => role === "system" || role === "developer");
        if (first) first["role"] = "system";
        if (body["max_tokens"] === undefined) body["model"] = "reasoning";
      }),
  },
];
