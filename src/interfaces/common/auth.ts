/** Reads the credentials of an exchange: whether any came, whether a recording may have dropped them, what a refusal says of them. */
import { notes, strictOnly } from "../../check/clause.ts";
import type { Fault, Undecided } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { inWords } from "../../check/unquoted.ts";
import { isObject } from "../../wire/json.ts";

/** Headers in which clients and gateways carry keys, in the order in which they are named to people. */
export const keyHeaders = ["x-goog-api-key", "authorization", "x-api-key", "api-key"];
const keyParameters = ["key", "api_key", "api-key", "access_token"];

/** Whether a request carries a credential of any kind, masked or not. */
function hasCredential({ request, query }: Subject): boolean {
  return (
    keyHeaders.some((name) => request.headers[name] !== undefined) ||
    keyParameters.some((name) => query[name] !== undefined)
  );
}

/** Whether nothing can be held against a request that lacks its credential: the recording may have dropped it. */
export const mayHaveDropped = (subject: Subject): boolean => !subject.credentialsKept && !hasCredential(subject);

const masked = strictOnly("X-MASKED");

/** The outcome of a request without the credential its document asks for (reading X-MASKED). @param isDropped whether it may have had one */
export function missing(subject: Subject, fault: Fault, isDropped = mayHaveDropped(subject)): (Fault | Undecided)[] {
  if (!isDropped) return [fault];
  return [
    { ...fault, reading: masked },
    {
      needs: "a recording that keeps credentials: this one may have dropped it",
      code: "credential-may-be-dropped",
      unless: masked.id,
    },
  ];
}

/** Notes that the key of a documented header came in another one, which the parties are known for (reading X-ALTERNATIVES). */
export function cameInAnother({ request }: Subject, documented: string): Fault[] | undefined {
  const other = request.keyCameIn[documented];
  if (other === undefined) return undefined;
  return [
    {
      side: "request",
      in: "headers",
      pointer: `/${documented}`,
      expected: "the key in this header",
      actual: inWords(`it in the header ${other}`),
      reading: notes("X-ALTERNATIVES"),
    },
  ];
}

/** The message of a failed reply: that the key is missing, that it is not accepted, something of credentials, nothing, or other things. */
export type AuthRefusal = "missing" | "refused" | "credentials" | "nothing" | "other";

const maxTextLength = 16_384;

/** The texts of a failed reply, without the names of its members; undefined where it cannot be read. */
function refusalText({ response }: Subject): string | undefined {
  const body = response?.body;
  if (!body || body.kind === "unreadable" || body.kind === "stream" || body.kind === "form") return undefined;
  if (body.kind === "empty") return "";
  if (body.kind === "text") return body.text.slice(0, maxTextLength);
  const texts: string[] = [];
  const open: unknown[] = [body.value];
  for (let left = 1000; open.length > 0 && left > 0; left--) {
    const value = open.pop();
    if (typeof value === "string") texts.push(value.slice(0, maxTextLength));
    else if (typeof value === "object" && value !== null)
      for (const item of Object.values(value).slice(0, 100)) open.push(item);
  }
  return texts.join("\n").slice(0, maxTextLength);
}

const key =
  "(?:x-goog-api-key|x-api-key|api[ _-]?keys?|access[ _-]?keys?|(?:access|bearer) token|auth(?:entication|orization)? (?:header|token|key)|credentials?)";
/** Words between a demand and the key it is of: what is said for, with or of a key demands none. */
const asked = String.raw`(?:(?!(?:access|another|by|can|different|for|from|in|new|of|on|that|this|to|via|which|with)\b)[\w'"\x60-]+[\s:]+){0,3}['"\x60]?`;
const said = String.raw`['"\x60]?(?: (?:header|parameter|field|value))?:? (?:is |are |was |were |has been |must be )?`;
const lack = "(?:missing|required|not (?:provided|set|supplied|given|present)|absent|empty)";
const demand = "(?:missing|no|without|needs?|requires?|did(?:n['’]t| not) (?:provide|supply|send|include))";
/** Asks for something where it begins a sentence, or follows one of these. */
const order = String.raw`(?:^|[.!:;]\s+|\b(?:please|must|should|(?:have|need|required) to)\s+)(?:provide|supply|include|use|pass|set|send|add)`;
const refusal =
  "(?:not (?:valid|accepted|recognized|found)|invalid|incorrect|expired|revoked|leaked|suspended|disabled)";
const refused = "(?:not valid|invalid|incorrect|expired|revoked|unknown|wrong|no such|bad)";

const aboutRefusedKey = new RegExp(
  [
    String.raw`\b${key}\b[^.\n]{0,40}\b${refusal}\b`,
    String.raw`\b${refused}\s+${asked}${key}`,
    String.raw`\byour key (?:is|was) (?:invalid|not valid)\b`,
    String.raw`\bAPI_KEY_(?:INVALID|EXPIRED)\b`,
  ].join("|"),
  "im",
);
const aboutMissingKey = new RegExp(
  [
    String.raw`\b${key}${said}${lack}\b`,
    String.raw`\b${demand}\s+${asked}${key}\b`,
    String.raw`${order}\s+${asked}${key}\b`,
    String.raw`\byour key (?:is|was) (?:missing|required|not (?:provided|supplied|given|set|present))\b`,
    "^(?:a|an|the) key is (?:missing|required)[.!]?$",
    String.raw`\bno key (?:is|was|given|provided|found)\b`,
    String.raw`\bunregistered callers?\b`,
    String.raw`\bAPI_KEY_MISSING\b`,
  ].join("|"),
  "im",
);

/** A list of faults that names the header by itself, beside what is wrong with it. */
const namesHeader = /^(?:x-goog-api-key|x-api-key|authorization)$/im;
const isLacking = /^(?:missing|field required)$/im;

/** Words of credentials. The keys of objects, maps and schemas are others. */
const aboutCredentials = new RegExp(
  [
    "credential|authenti|unauthori[sz]ed|unregistered|permission|sign[ -]?in|log[ -]?in|bearer",
    String.raw`\b(?:api|access|auth|secret|subscription|your)[ _-]?keys?\b(?!\s*(?:['"${"`"}:=]|in\b|of\b|is too|exceeds))`,
    String.raw`\b(?:valid|the|a|no) key\b(?= (?:is|was|given|provided|found)\b(?! (?:not )?(?:a|an|in|of|required for|too)\b))`,
  ].join("|"),
  "i",
);

/** A message that says no more than the status does. */
const bare =
  /^(?:[\s\d.,:;!-]|<[^<>]*>|bad[ _]request|forbidden|errors?|failed|request|invalid|argument|invalid_request_error|invalid_argument|api_error|client_error|nginx|openresty)*$/i;

/** The message of a failed reply about credentials. */
export function saidOfKey(subject: Subject): AuthRefusal {
  const text = refusalText(subject);
  if (text === undefined) return "other";
  // A server that refuses a key may well ask for another one.
  if (aboutRefusedKey.test(text)) return "refused";
  if (aboutMissingKey.test(text) || (namesHeader.test(text) && isLacking.test(text))) return "missing";
  if (aboutCredentials.test(text)) return "credentials";
  return bare.test(text) ? "nothing" : "other";
}

/** Statuses that refuse without saying why. */
const unspecific: ReadonlySet<number> = new Set([400, 401, 403, 407]);

const anyRefusal = strictOnly("X-MISSING-KEY");

/** A request sent without any key on purpose was accepted, or so its status says: an error (reading X-MISSING-KEY). */
export const acceptedWithoutKey = (expected: string, { status, body }: NonNullable<Subject["response"]>): Fault => ({
  side: "response",
  in: "status",
  expected,
  actual: status,
  hint:
    body.kind === "json" && isObject(body.value) && isObject(body.value["error"])
      ? "the request carries no key, and the body of the answer is an error"
      : "the request carries no key; if this server is meant to run without keys, say --lacks keys",
});

/** Whether a reply refuses: what is too much for now, and what fails by itself, is no answer to the request. */
export const refuses = ({ response }: Subject): boolean =>
  response !== null && response.status >= 400 && response.status < 500 && response.status !== 429;

/**
 * The outcome of a refusal of a request without a key, if 401 is due (reading X-MISSING-KEY): it is judged only if nothing else
 * explains it.
 * @param faults errors of the request other than the missing key
 */
export function refusedWithoutKey(subject: Subject, faults: readonly string[]): (Fault | Undecided)[] | undefined {
  const status = subject.response?.status;
  if (status === undefined || status === 401) return undefined;
  const fault = { side: "response", in: "status", expected: "401 without an API key", actual: status } as const;
  const said = saidOfKey(subject);
  const alone = faults.length === 0 && unspecific.has(status) && (said === "credentials" || said === "nothing");
  if (said === "missing" || said === "refused" || alone) return [fault];
  return [
    { ...fault, reading: anyRefusal },
    { needs: "a refusal that nothing but the missing key explains", unless: anyRefusal.id },
  ];
}
