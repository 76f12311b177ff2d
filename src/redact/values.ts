/** Tells values that are credentials from words, places in code and what stands for a value, by what they look like. */

/** What stands where a value is to be put in, or was taken out. */
const standsIn =
  /^(?:[x*.•…#_-]+|1+|0+|<.*>|\$.*|%\w+%|%\(\w+\)?|\{\{.*|\[.*\]|your\b.*|insert\b.*|.*(?:\[redacted\]|%5Bredacted%5D|\*\*\*|\.\.\.|…).*)$/is;

/** What schemas, programs and forms say in place of a value. */
const said =
  /^(?:string|str|text|number|int|integer|boolean|bool|object|array|list|any|null|none|nil|undefined|true|false|yes|no|on|off|required|optional|hidden|redacted|masked|empty|missing|invalid|valid|unknown|default|password|passwd|passphrase|secret|token|credential|credentials|key|apikey|api[-_ ]?key|bearer|basic|oauth2?|jwt|cookie|header|query|env|auto|plain|test|example|unused|dummy|changeme|include|omit|same-origin)$/i;

const isStandIn = (value: string): boolean => standsIn.test(value) || said.test(value);

/** Objects whose members programs pass on, and names of types. */
const isReference = (value: string): boolean =>
  /^(?:this|self|re[qs]|request|response|data|config|cfg|settings|process|env|os|ctx|context|props|state|args|opts|options|params|app|user|body|event|secrets|vars)(?:\.[A-Za-z_$][\w$]*)+$/.test(
    value,
  ) || /^(?:[A-Z][a-z]{2,}|V\d{1,2}){3,}$|^[A-Z]\w*(?:::\w+)+$|^projects\//.test(value);

/** Names in code and paths rather than values: `settings.api_key`, `getToken`, `YOUR_API_KEY`. */
const isCode = (value: string): boolean =>
  isReference(value) ||
  /^[A-Za-z_$]+(?:64)?[[(][A-Za-z_$][\w$:.]*$/.test(value) ||
  (/^[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)*[([]?.*[)\]]?$/.test(value) && !/\d/.test(value)
    ? /[._:$([]|->/.test(value) || !/[a-z][A-Z].*[a-z][A-Z]/.test(value) || value.length < 20
    : /^(?:[./~]|\w:\\|https?:|[\w.]+\(|\d{4}-\d\d-\d\d(?:T|$))/.test(value));

/** What may be a key by its looks has as many bytes at least. */
export const shortestKey = 16;

/** Whether a text is no word: long, of letters and digits. */
export const isKeyLike = (value: string): boolean =>
  value.length >= shortestKey && /\d/.test(value) && /[A-Za-z]/.test(value) && !/[\s"\\]/.test(value);

/** Whether a text is drawn at random, by all one can tell: words, names and dates with numbers in them are not. */
export const isRandom = (value: string): boolean =>
  isKeyLike(value) &&
  !/^\w+:\/\//.test(value) &&
  ((/[a-z].*[A-Z]|[A-Z].*[a-z]/.test(value) && /\d.*[A-Za-z].*\d|[A-Za-z]{2}\d[A-Za-z]/.test(value)) ||
    /^[0-9a-f]{20,}$/i.test(value) ||
    /^(?=(?:\D*\d){4})[a-z0-9]{20,}$/.test(value));

/** Words and numbers with strokes between them. */
export const isWords = (value: string): boolean =>
  /^(?:[A-Za-z]+\d{0,2}|\d{1,8})(?:[_-](?:[A-Za-z]+\d{0,2}|\d{1,8}))+$/.test(value);

/** A whole string that is named a credential: it is one, unless it says that nothing is there. */
export const isMember = (value: string): boolean => value.trim() !== "" && !isStandIn(value.trim());

/** What stands unquoted behind a credential's name and an equals sign. */
export const isAssigned = (value: string): boolean =>
  value.length >= 6 &&
  !isStandIn(value) &&
  !isCode(value) &&
  (/\d/.test(value) || /[^\w.-]/.test(value) || value.length >= 16);

/** What stands in prose or a header line behind a credential's name and a colon. */
export const isProseValue = (value: string): boolean =>
  value.length >= 6 &&
  !isStandIn(value) &&
  !isCode(value) &&
  ((/\d/.test(value) && /[A-Za-z]/.test(value)) || (value.length >= 16 && /[a-z][A-Z]/.test(value)));

/** What a query or a form sends under a credential's name. */
export const isSent = (value: string): boolean => value.length >= 4 && !isStandIn(value) && !/[()[\]{}]/.test(value);

/** What is so often sent where a service asks for no key that it says nothing. */
export const isCommonplace = (secret: string): boolean =>
  said.test(secret) ||
  /^(?:anything|something|whatever|nothing|placeholder|local|ollama|lm-studio|localhost|fake|mock|sample|demo|foo|bar|foobar|(?:not?|none)[-_ ]?(?:needed|required|necessary|key|api[-_]key|used)|no[-_]?key[-_]?(?:needed|required)|(?:fake|mock|dummy|test|testing|sample|demo|example|your|my|local|any)[-_ ]?(?:api)?[-_ ]?(?:key|token))$/i.test(
    secret,
  );

/** A value in quotes behind a credential's name, as code has it. */
export const isQuoted = (value: string): boolean =>
  value.length >= 6 &&
  !isStandIn(value) &&
  (/[^a-z_ ]/.test(value) || value.length >= 12) &&
  !/^(?:https?:|projects\/)/.test(value) &&
  (isRandom(value) || !/^~?\/(?:[\w.-]+\/)+[\w.-]*$/.test(value));
