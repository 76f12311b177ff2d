/** Rules on tokens with log probabilities that cannot be right (reading X-PLAUSIBLE); each takes the clause it decides. */
import type { Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { holds } from "../../wire/find.ts";
import { each, type PlacedValue } from "./plausible.ts";

/** A text that tokens with log probabilities spell; `value` is the piece of it that stands at the place. */
interface SpeltText extends PlacedValue<string> {
  readonly text: string;
  readonly tokens: readonly Token[];
}

/** The deviation that rounding may give a logarithm of 1. */
const rounding = 1e-5;

/** A probability is at most 1, so that its logarithm is at most 0. */
export const logprobsNotAboveZero = (
  clause: string,
  logprobsOf: (subject: Subject) => readonly PlacedValue<number>[],
  spoil: Rule["spoil"],
): Rule =>
  each(
    clause,
    logprobsOf,
    ({ value }) => (value > rounding ? "at most 0, the logarithm of a probability" : undefined),
    spoil,
  );

/** Every token whose probability is told has been counted. */
export const tokensCounted = (
  clause: string,
  countOf: (subject: Subject) => readonly (PlacedValue<number> & { readonly entries: number })[],
  spoil: Rule["spoil"],
): Rule =>
  each(
    clause,
    countOf,
    ({ value, entries }) => (value < entries ? `at least ${entries}, the tokens with a log probability` : undefined),
    spoil,
  );

/** A token as log probabilities name it; its bytes where they are told. */
export interface Token {
  readonly token: unknown;
  readonly bytes?: unknown;
}

const isByte = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;
const replaced = /\ufffd|\\x[0-9a-f]{2}/i;

/** The text that tokens spell; undefined where pieces of a character stand in them that cannot be put together. */
function spelling(tokens: readonly Token[]): string | undefined {
  const pieces: Uint8Array[] = [];
  for (const { token, bytes } of tokens) {
    if (Array.isArray(bytes) && bytes.length > 0 && bytes.every(isByte)) pieces.push(Uint8Array.from(bytes));
    else if (typeof token === "string" && !replaced.test(token)) pieces.push(Buffer.from(token));
    else return undefined;
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** The tokens one after the other; undefined where one is no text. */
function joined(tokens: readonly Token[]): string | undefined {
  const pieces = tokens.map(({ token }) => token);
  return pieces.every((piece) => typeof piece === "string") ? pieces.join("") : undefined;
}

/** Tokens with log probabilities spell the text; some may spell what a text leaves out: thoughts, an end, a stop sequence. */
export const tokensSpell = (
  clause: string,
  spelt: (subject: Subject) => readonly SpeltText[],
  spoil: Rule["spoil"],
): Rule =>
  each(
    clause,
    spelt,
    ({ text, tokens }) => {
      if (joined(tokens) === text) return undefined;
      const spelled = spelling(tokens);
      return spelled === undefined || holds(spelled, text.trim())
        ? undefined
        : `the text that the tokens with log probabilities spell, ${JSON.stringify(spelled.slice(0, 80))}`;
    },
    spoil,
  );
