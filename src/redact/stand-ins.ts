/** Tells what stands where a value is to be put in, or was taken out: references, and words from a list. */
import { namingOf } from "./names.ts";

/** The words of schemas, programs and forms in place of a value. */
const said =
  /^(?:string|str|text|number|int|integer|boolean|bool|object|array|list|any|null|none|nil|undefined|true|false|yes|no|on|off|required|optional|hidden|redacted|masked|empty|missing|invalid|valid|unknown|default|password|passwd|passphrase|secret|token|credential|credentials|key|apikey|api[-_ ]?key|bearer|basic|oauth2?|jwt|cookie|header|query|env|auto|plain|test|example|unused|dummy|changeme|include|omit|same-origin|inherit|n\/a|todo|tbd)$/i;

/** Words that texts consist of which ask for a value: `your-api-key-here`, `YOUR_TOKEN`. */
const asking = new Set(
  `your the a an here insert enter put paste replace with this me change fill in set goes value api key keys token tokens
secret password passwd passphrase pass access auth client id user username personal bearer openai anthropic google gemini
azure aws github gitlab hf huggingface mistral groq cohere service account private public example sample dummy placeholder
redacted hidden masked removed omitted required optional changeme todo none not needed provided actual real own valid`.split(
    /\s+/,
  ),
);

/** One reference: a variable of a shell, a template or a workflow, words in angle brackets, a place of a format. */
const reference = String.raw`(?:\$[A-Z_][A-Z0-9_]*|\$\{[A-Za-z_][\w.[\]'"() -]*\}|\$?\{\{[^{}]*\}\}|\$\((?:[^()]|\([^()]*\))*\)|\$env:\w+|%(?:[A-Z_][A-Z0-9_]*|[a-z_]+)%|%\(\w+\)s?|%[sdv]|\{[A-Za-z_][\w.]*\}|<[A-Za-z\x80-\uffff][A-Za-z\x80-\uffff _.:'-]*\d?>|&lt;[A-Za-z][A-Za-z _-]*&gt;)`;
const references = new RegExp(String.raw`^(?:${reference}[\s:@/.,-]?)+$`);
const beginsAsReference = new RegExp(String.raw`^${reference}(?=$|[\s;&|,'"\\)])`);

/** A mark over and over, words in brackets, and what was shortened: a beginning and four characters at most are left. */
const blanked =
  /^(?:([x*.•…#_-])\1*|1+|0+|\[[A-Za-z][A-Za-z _-]*\]|[\w-]{0,12}(?:\*{3,}|\.{3}|…|•{3,}|x{4,})[\w-]{0,4})$|\[redacted\]|%5Bredacted%5D/i;

/** Whether a text refers to a value that stands elsewhere. */
export const isReference = (value: string): boolean =>
  references.test(value) || (/^\$[A-Za-z_]+$/.test(value) && namingOf(value.slice(1)) !== "none" && !isLeet(value));

/** `$ecret`: a dollar in place of an S. */
const isLeet = (value: string): boolean => /^\$(?:ecret|esame|uper|trong)/i.test(value);

/** Whether a line's value begins with a reference or stands for a value, behind which a command or a comment may stand. */
export const refers = (value: string): boolean =>
  beginsAsReference.test(value) || isStandIn(value) || isStandIn(/^[^\s,;]*/.exec(value)![0]);

/** Whether a text stands for a value. */
export function isStandIn(value: string): boolean {
  if (said.test(value) || blanked.test(value) || isReference(value)) return true;
  const words = value.length < 64 && /^[A-Za-z][A-Za-z]*(?:[-_ ]+[A-Za-z]+)+$/.test(value) ? value.toLowerCase() : "";
  return words !== "" && words.split(/[-_ ]+/).every((word) => asking.has(word));
}

/** A value so often sent to a service that asks for no key that it says nothing. */
export const isCommonplace = (secret: string): boolean =>
  said.test(secret) ||
  /^(?:anything|something|whatever|nothing|placeholder|local|ollama|lm-studio|localhost|fake|mock|sample|demo|foo|bar|foobar|(?:not?|none)[-_ ]?(?:needed|required|necessary|key|api[-_]key|used)|no[-_]?key[-_]?(?:needed|required)|(?:fake|mock|dummy|test|testing|sample|demo|example|your|my|local|any)[-_ ]?(?:api)?[-_ ]?(?:key|token))$/i.test(
    secret,
  );
