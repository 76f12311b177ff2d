/** Names that say that a value is a credential: one list, for headers, queries, members, forms and lines of text. */
import { latinTerms, namingInScripts, plainLetters } from "./languages.ts";

/**
 * - `none`: the name says nothing.
 * - `maybe`: a value that looks like a key is one, e.g. of `token` or `storage_key`.
 * - `credential`: the value is one, whatever it looks like, e.g. of `password` or `openai_api_key`.
 */
export type Naming = "none" | "maybe" | "credential";

const listOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** The parts of a credential's name, its words written together; further words may stand before it. */
const terms = new RegExp(
  `(?:password|passwd|passphrase|passcode|passwort|kennwort|contrasena|motdepasse|(?<![a-z])senha|userpass|seedphrase|mnemonicphrase|recoverycode|accesscode|securitycode|sharedaccesssignature|xsrf|phpsessid|jsessionid|connectsid|(?<![a-z])pwd|userpwd|dbpwd|userpw|dbpw|adminpw|rootpw|(?<![a-z])psk|presharedkey|securestring|secret|credential|authorization|cookie|(?<![a-z])jwt|bearer|apikey|apitoken|accesskey|accesstoken|authkey|authtoken|refreshtoken|sessiontoken|sessionkey|idtoken|usertoken|bottoken|privatekey|secretkey|signingkey|encryptionkey|masterkey|subscriptionkey|accountkey|sharedaccesskey|sharedkey|storagekey|servicekey|licensekey|webhookkey|consumerkey|clientkey|appkey|applicationkey|adminkey|functionskey|sshkey|deploykey|hmackey|connectionstring|privateexponent|privatelines|privatemac|keymaterial|(?:ssh|db|user|admin|root|smtp|imap|mail|email|ftp|sftp|my|pg|sql|mysql|redis|mongo|ldap|vpn|wifi|keystore|truststore|login|auth|proxy|svn|git|http|sudo|bind|rabbitmq)pass|${latinTerms.join("|")})s?$`,
);

/** Words behind such a term that make the name speak about a credential, not of one. */
const about = listOf(
  `id ids at count counts counter type types name names len length lengths limit limits size hash digest checksum fingerprint
thumbprint url urls uri path paths file files filename dir format policy policies required enabled disabled present
exists expires expiry expiration expire ttl age version versions usage details detail budget index hint label
description desc title status state states field fields schema source location endpoint endpoints host header headers
prefix suffix strength reset rotation manager provider providers created updated date time error errors message
messages code codes invalid valid position offset logprob logprobs probability probabilities price cost rate ratio
bytes ref reference arn scope scopes algorithm alg permission permissions method methods mode style spec env var
variable class rule rules min max detection detected leak leaks exposed exposure scanning scanner management storage
servers server metadata info policy placeholder example examples`,
);

/** Words before `token` that make it a piece of text, a mark or a place in a list. */
const ofText = listOf(
  `max min prompt completion total cached cache creation read input output reasoning audio text image video thoughts
thinking candidates candidate tool tools per num n number page next prev previous continuation continue sync start end
stop eos bos pad unk mask sep cls special first last used remaining available budget generated accepted rejected
prediction count billed new context window limit sequence top likely word sub byte chunk chat content delta role
system message document documents`,
);

/** Words before `key` that make it a name of something. */
const ofMaps = listOf(
  `primary foreign sort partition cache caching idempotency idempotent public row group object json map translation
i18n hash lookup index natural composite unique event field property attribute column setting config dictionary dedup
deduplication prompt message item metadata data file image resource entity record label tag category registry hot arrow
press modifier shortcut keyboard musical song minor major answer issue project feature flag routing sharding shard
context state node edge react redis answer lock rate range start end parent child param parameter query form route`,
);

/** Single words that say it where the value looks like a key. */
const hints = listOf("auth pass pw pat session creds otp clave chave chiave sifre parola parole jeton");

/** Words before the last one that make these a button or a link: `forgotPassword`. */
const ofLinks = listOf("forgot forgotten forget lost show hide toggle reveal");

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/\d+$/, ""))
    .filter((word) => word !== "");

/** Longer names are sentences. */
const maxNameLength = 128;

/** The meaning of names that were asked about: they come again and again. */
const known = new Map<string, Naming>();
const maxKnown = 2048;

/** The meaning of a name in any spelling for its value. */
export function namingOf(name: string): Naming {
  if (name.length > maxNameLength) return "none";
  let naming = known.get(name);
  if (naming === undefined) {
    if (known.size >= maxKnown) known.clear();
    known.set(name, (naming = read(name)));
  }
  return naming;
}

/** A name whose bytes were read as Latin-1, as the text it is. */
function spelledOut(name: string): string {
  const bytes = Buffer.from(name, "latin1").toString("utf8");
  return bytes.includes("\ufffd") || /[^\0-\xff]/.test(name) ? name : bytes;
}

function read(name: string): Naming {
  const isPlain = /^[\x20-\x7e]*$/.test(name);
  const whole = isPlain ? name : spelledOut(name);
  if (!isPlain && /(?!\p{Script=Latin})\p{L}/u.test(whole)) {
    const naming = namingInScripts(whole);
    if (naming !== "none") return naming;
  }
  const words = wordsOf(isPlain ? name : plainLetters(whole.replace(/([\p{Ll}\d])(?=\p{Lu})/gu, "$1 ")));
  let naming: Naming = "none";
  for (let i = 0, joined = ""; i < words.length; i++) {
    const word = words[i]!;
    joined += (joined && terms.test(word) ? " " : "") + word;
    if (words.slice(i + 1).some((later) => about.has(later))) continue;
    const before = words.slice(0, i);
    if (terms.test(joined)) return i > 0 && ofLinks.has(words[0]!) && !/token$/.test(word) ? "maybe" : "credential";
    if (/token$/.test(word)) {
      if (!before.some((one) => ofText.has(one))) naming = word === "token" && i === 0 ? "maybe" : "credential";
    } else if (/^keys?$/.test(word) && i > 0 && !before.some((one) => ofMaps.has(one))) naming = "maybe";
    else if (hints.has(word)) naming = word === "pass" && i > 0 ? "credential" : naming === "none" ? "maybe" : naming;
    if (naming === "credential") return naming;
  }
  return naming;
}

/** Names that say it in queries, forms and assignments only: elsewhere they name what is judged. */
export const namesInQuery = (name: string): boolean => /^key$|(?:^|[^a-z])sig$|signature$/i.test(name);

/** The code that a callback carries in its query, and that is exchanged for a token. */
export const namesCode = (name: string): boolean => /^(?:code|auth_?code|device_code|code_verifier)$/i.test(name);

/** Names of headers and parameters that say how a request is passed on: which provider, model, project, and by which number it is traced. */
const ofRouting =
  /(?:^|[^a-z])(?:providers?|models?|(?:org|organi[sz]ation|project|tenant|workspace|deployment|provider|model|request|trace|correlation)[^a-z]?id)$/;

/** The names of headers and parameters that were asked about. */
const knownInHeads = new Map<string, boolean>();

/** Whether a name of a header or a query parameter says that its value is a credential, which is then looked for everywhere. */
export function namesCredential(name: string): boolean {
  if (name.length > maxNameLength) return isCredentialInHead(name);
  let names = knownInHeads.get(name);
  if (names === undefined) {
    if (knownInHeads.size >= maxKnown) knownInHeads.clear();
    knownInHeads.set(name, (names = isCredentialInHead(name)));
  }
  return names;
}

const isCredentialInHead = (name: string): boolean =>
  (namingOf(name) !== "none" ||
    /auth|key|token|secret|passw|pwd|credential|signature|^sig$|cookie|session/i.test(name)) &&
  !ofRouting.test(name.toLowerCase());
