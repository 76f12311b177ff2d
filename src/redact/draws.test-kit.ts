/** Draws credentials as machines make them and people choose them, and writes them into the forms in which they are told by a name. */
import fc from "fast-check";
import { exchangeOf } from "../wire/build.ts";
import { redact } from "./redact.ts";

const base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const ofUrls = `${base64.slice(0, -2)}-_`;
const alphanumeric = base64.slice(0, -2);
const ofCrypt = `./${alphanumeric}`;

/** Draws so many of these characters, evenly. */
const drawn = (characters: string, min: number, max = min): fc.Arbitrary<string> =>
  fc
    .array(fc.nat(characters.length - 1), { minLength: min, maxLength: max, size: "max" })
    .map((all) => all.map((one) => characters[one]!).join(""));

const bytesOf = (min: number, max: number, coding: BufferEncoding): fc.Arbitrary<string> =>
  fc
    .uint8Array({ minLength: min, maxLength: max, size: "max" })
    .map((all) => Buffer.from(all).toString(coding))
    // Bytes are drawn near their ends more often than others; no key is all zeros.
    .filter((text) => new Set(text).size > 8);

/** Values that machines make. */
export const machineMade: Readonly<Record<string, fc.Arbitrary<string>>> = {
  base64: bytesOf(18, 64, "base64"),
  "base64 from letters": drawn(base64, 40),
  "base64 that begins with a stroke": drawn(base64, 39).map((text) => `/${text}`),
  base64url: drawn(ofUrls, 22, 86),
  hex: fc.constantFrom(32, 40, 64).chain((size) => drawn("0123456789abcdef", size)),
  uuid: drawn("0123456789abcdef", 32).map((digits) => digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")),
  alphanumeric: drawn(alphanumeric, 20, 48),
  jwt: fc
    .tuple(drawn(ofUrls, 30, 80), drawn(ofUrls, 43))
    .map(([claims, signature]) => `eyJhbGciOiJIUzI1NiJ9.eyJ${claims}.${signature}`),
  bcrypt: fc
    .tuple(fc.constantFrom("2a", "2b", "2y"), fc.constantFrom("10", "12"), drawn(ofCrypt, 53))
    .map(([kind, cost, rest]) => `$${kind}$${cost}$${rest}`),
  argon2: fc
    .tuple(drawn(base64, 22), drawn(base64, 43))
    .map(([salt, digest]) => `$argon2id$v=19$m=65536,t=3,p=4$${salt}$${digest}`),
  "SHA crypt": fc
    .tuple(fc.constantFrom(["5", 43] as const, ["6", 86] as const), drawn(ofCrypt, 8, 16))
    .chain(([[kind, size], salt]) => drawn(ofCrypt, size).map((digest) => `$${kind}$${salt}$${digest}`)),
  "client secret of Azure": fc
    .tuple(drawn(alphanumeric, 3), drawn(`${ofUrls}.~`, 34))
    .map(([first, rest]) => `${first}8Q~${rest}`),
};

const words =
  `sunshine dragon monkey maple window copper winter orange battery staple horse thunder silver garden rocket
purple falcon marble cactus velvet hammer pepper guitar planet candle summer tiger castle bridge coffee`.split(/\s+/);
const word = fc.constantFrom(...words);
const every = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).join("");
const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1);

/** Values that people choose. */
export const chosen: Readonly<Record<string, fc.Arbitrary<string>>> = {
  letters: fc.tuple(word, word).map((two) => two.join("")),
  "letters with capitals": fc.tuple(word, word).map((two) => two.map(capital).join("")),
  "letters at random": drawn(alphanumeric.slice(0, 52), 8, 14),
  digits: drawn("0123456789", 8, 12).filter((text) => !/^[01]+$/.test(text)),
  "letters and digits": fc.tuple(word, drawn("0123456789", 1, 4)).map(([one, number]) => capital(one) + number),
  "words with strokes": fc.array(word, { minLength: 3, maxLength: 4 }).map((all) => all.join("-")),
  "words with strokes and a number": fc.tuple(word, word, fc.nat(99)).map((all) => all.join("_")),
  "every sign": drawn(every, 10, 20),
  "letters behind a sign": fc
    .tuple(fc.constantFrom(...every.replace(/\w/g, "")), word, drawn(alphanumeric, 3, 5), drawn("!#%+=?@^", 1))
    .map((all) => all.join("")),
};

/** The text that a form writes: the part before the value, the value as it spells it, and the part that follows. */
export type Written = readonly [before: string, value: string, after: string];
export type Form = (value: string) => Written;

const ofForm = (value: string): string => new URLSearchParams([["a", value]]).toString().slice(2);
const inXml = (value: string): string =>
  value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const inCode = (value: string): string => value.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
const inJson = (value: string): string => JSON.stringify(value).slice(1, -1);
const inShell = (value: string): string => value.replaceAll("'", `'\\''`);

/** A text as it stands in a message, in JSON. */
export const said =
  (form: Form): Form =>
  (value) => {
    const [before, own, after] = form(value);
    return [
      `{"model":"m","messages":[{"role":"user","content":"${inJson(before)}`,
      inJson(own),
      `${inJson(after)}"}],"n":1}`,
    ];
  };

/** Forms in which any value is found. */
export const claimed: Readonly<Record<string, Form>> = {
  "a member of JSON": (value) => ['{"user":"me","password":"', inJson(value), '","n":1}'],
  "a member within objects": (value) => ['{"db":{"clientSecret": "', inJson(value), '"},"n":1}'],
  "JSON in JSON": said((value) => ['{"api_key":"', inJson(value), '","n":1}']),
  "a member in XML": (value) => ["<a><apiKey>", inXml(value), "</apiKey><n>kept</n></a>"],
  "an attribute": (value) => ['<db user="me" password="', inXml(value), '" n="1"/>'],
  "a form": (value) => ["user=me&password=", ofForm(value), "&n=1"],
  "a query in a text": said((value) => ["see https://h.example/v1?n=1&api_key=", ofForm(value), " for more"]),
  "a field of a form": (value) => [
    '--b\r\nContent-Disposition: form-data; name="api_key"\r\n\r\n',
    value,
    "\r\n--b--\r\n",
  ],
  "a pair of name and value": (value) => ['{"env":[{"name":"DB_PASSWORD","value":"', inJson(value), '"}]}'],
  "a pair in a list": (value) => ['{"headers":[["accept","a/b"],["x-api-key","', inJson(value), '"]]}'],
  "a header of a command": said((value) => ["curl -H 'X-Api-Key: ", inShell(value), "' https://h.example"]),
  "a line of an environment": said((value) => ["LANG=en\nOPENAI_API_KEY=", value, "\nHOME=/home/me"]),
  "an export": said((value) => ["run\nexport DB_PASSWORD=", value, "\nthen go on"]),
  "an export in quotes": said((value) => ["export DB_PASSWORD='", inShell(value), "'\nmake"]),
  "a line of YAML": said((value) => ["db:\n  host: h\n  password: ", value, "\n  port: 5432"]),
  "a string of YAML": said((value) => ['db:\n  host: h\n  password: "', inCode(value), '"\n  port: 5432']),
  "a line of .ini": said((value) => ["[db]\nuser = me\npassword = ", value, "\nport = 5432"]),
  "a line of properties": said((value) => ["db.user=me\ndb.password=", value, "\ndb.port=5432"]),
  "a string in code": said((value) => ['client = connect(user="me", password="', inCode(value), '", n=1)']),
  "a constant": said((value) => ['const apiKey: string = "', inCode(value), '";\nrun();']),
  "an argument of a command in a list": (value) => ['{"args":["-y","--api-key","', inJson(value), '"],"n":1}'],
  "an address": said((value) => ["postgres://app:", encodeURIComponent(value), "@db.example:5432/app"]),
};

/** Forms in which a value is found that is no word: nothing else tells it from what a sentence goes on with. */
export const inProse: Readonly<Record<string, Form>> = {
  "behind a colon": said((value) => ["Here you are. My password: ", value, " and please keep it."]),
  "a sentence": said((value) => ["The API key is ", value, " for now."]),
  "a sentence with more words": said((value) => ["The password for prod is: ", value, "\nKeep it."]),
  "an option": said((value) => ["deploy --password ", value, " --host h"]),
  "a header line": said((value) => ["GET /v1 HTTP/1.1\nX-Api-Key: ", value, "\nHost: h"]),
};

/** Whether half of a value or more can still be read where it stood. */
export function stays(before: string, value: string, after: string): boolean {
  const body = Buffer.from(before + value + after);
  const request = { method: "POST", target: "/v1/chat/completions", headers: [], body };
  const { body: kept } = redact(exchangeOf(request, null)).request;
  const from = Buffer.byteLength(before);
  const own = Buffer.from(value);
  let same = 0;
  for (let i = 0; i < own.length; i++) if (kept[from + i] === own[i] && own[i] !== 120 && own[i] !== 49) same++;
  return 2 * same > own.length;
}
