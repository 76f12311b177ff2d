/** Rules on the credential of a chat request. */
import type { Fault, Rule, Undecided } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { editHeader } from "../../wire/edit.ts";

const place = { side: "request", in: "headers", pointer: "/authorization" } as const;

/** The header's value; undefined where it is missing or not to be relied on, because a recorder may have masked it. */
function credential({ request, names }: Subject): string | undefined {
  return names.credentialsKept ? request.headers["authorization"] : undefined;
}

const required: Rule = {
  clause: "chat-completions.auth.authorization-required",
  applies: () => true,
  *check({ request, names }): Iterable<Fault | Undecided> {
    if (request.headers["authorization"] !== undefined) return;
    if (names.credentialsKept) yield { ...place, expected: "an Authorization header", actual: undefined };
    else yield { needs: "a recording that keeps credentials, or marks where they were" };
  },
  spoil: (exchange) => ({ ...editHeader(exchange, "request", "Authorization", undefined), response: null }),
};

const scheme: Rule = {
  clause: "chat-completions.auth.authorization-scheme",
  applies: (subject) => credential(subject) !== undefined,
  *check(subject) {
    const value = credential(subject) ?? "";
    const given = /^[^\s]*/.exec(value.trim())?.[0] ?? "";
    if (given === "Bearer") return;
    const sameWord = given.toLowerCase() === "bearer";
    yield {
      ...place,
      expected: "the scheme Bearer",
      actual: sameWord ? given : "another scheme",
      ...(sameWord && { reading: { id: "X-HEADER-CASE", default: "off", strict: "error" } as const }),
    };
  },
  spoil: (exchange) => editHeader(exchange, "request", "Authorization", "Basic c2VjcmV0OnNlY3JldA=="),
};

/** Keys are never repeated in findings. */
const key: Rule = {
  clause: "chat-completions.auth.authorization-key",
  applies: (subject) => /^bearer\b/i.test(credential(subject)?.trim() ?? ""),
  *check(subject) {
    const rest = (credential(subject) ?? "").trim().slice("bearer".length);
    if (/^ \S/.test(rest)) return;
    yield {
      ...place,
      expected: "exactly one space and a key",
      actual: rest.trim() === "" ? "no key" : "other white space before the key",
    };
  },
  spoil: (exchange) => editHeader(exchange, "request", "Authorization", "Bearer "),
};

/** Reading C-ERRORS: all that can be said of a failure is that its status is not 2xx, and rather 400 or above. */
const missingKeyFails: Rule = {
  clause: "chat-completions.auth.missing-key-fails",
  applies: ({ names, response }) => names.credentialsKept && response !== null,
  *check({ request, response }) {
    const status = response?.status ?? 0;
    if (request.headers["authorization"] !== undefined || status >= 400) return;
    yield {
      side: "response",
      in: "status",
      expected: "400 or above",
      actual: status,
      hint: "the request carries no key",
      ...(!response?.ok && { reading: { id: "C-ERRORS", default: "warning", strict: "warning" } as const }),
    };
  },
  spoil: (exchange) =>
    exchange.response?.status === 200 ? editHeader(exchange, "request", "Authorization", undefined) : undefined,
  alsoBreaks: ["chat-completions.auth.authorization-required", "chat-completions.errors.invalid-request-refused"],
};

export const rules: readonly Rule[] = [required, scheme, key, missingKeyFails];
