/** Tells texts of user interfaces from values: `"forgotPassword": "Forgot your password?"`, `"password": "パスワード"`. */
import { credentialWords, interfaceWords, plainLetters } from "./languages.ts";
import { isScrambled } from "./looks.ts";

/** Bytes read as Latin-1 as the text they are, with escapes of JSON undone. */
export function readable(value: string): string {
  let text = value;
  if (/[\x80-\xff]/.test(text) && !/[^\0-\xff]/.test(text)) {
    const decoded = Buffer.from(text, "latin1").toString("utf8");
    if (!decoded.includes("\ufffd")) text = decoded;
  }
  return text.includes("\\u")
    ? text.replace(/\\+u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
}

/** Letters of scripts other than the Latin one, in which nobody writes passwords. */
const otherScript = /(?!\p{Script=Latin})\p{L}/u;

/** Characters around a word, and parts that are filled in within a text. */
const around = /^[\s"'“”‘’«»„()¿¡*•✓/&–—-]+|[\s"'“”‘’«»„()*•✓.,:;!?…/&–—-]+$/gu;
const filledIn = /\\+[nrt"]|<\/?[a-z][^<>]{0,64}>|\$?\{{1,2}[\w .,-]{0,40}\}{1,2}|%\{?\w{1,24}\}|%[sd@]|&[a-z]{2,6};/gi;

const latinWord = /^\p{L}[\p{L}\p{M}'’-]*$/u;

/** Whether a token is a word of any script, a small number, or a range of them. */
function isWord(token: string): boolean {
  if (/^\d{1,3}(?:[-–]\d{1,3})?\+?$/.test(token)) return true;
  if (otherScript.test(token)) return !/[A-Za-z]*\d[A-Za-z]+|\d{4}|[#$%^*=+~\\|<>@]/.test(token);
  return token.length <= 32 && latinWord.test(token) && !isScrambled(token);
}

/** Words without which few sentences in small letters are. */
const inSentences =
  /^(?:the|your|you|a|an|is|are|be|must|should|can|can't|to|of|for|at|with|and|or|not|no|it|this|that|in|on|as|if|please|enter|my|sie|ihr|der|die|das|ein|dein|bitte|votre|le|la|un|une|su|tu|el|de|il|het|een|uw)$/;

/** How long such texts are at most. */
const maxTextLength = 400;

/** Whether a value is what people read beside a field rather than what they enter. */
export function isInterfaceText(value: string): boolean {
  if (value.length > 3 * maxTextLength || !/[A-Za-z\x80-\uffff]/.test(value)) return false;
  const text = readable(value).replace(filledIn, " ").trim();
  const tokens = text
    .split(/[\s\u3000-\u3003\uff00-\uff0f\uff1a-\uff20]+/)
    .map((token) => token.replace(around, ""))
    .filter((token) => token !== "");
  if (tokens.length === 0 || tokens.length > maxTextLength / 4 || !tokens.every(isWord)) return false;
  if (tokens.some((token) => otherScript.test(token))) return true;
  const plain = tokens.map(plainLetters);
  if (tokens.length === 1) {
    if (/[^\p{L}\p{M}'’:*?.…\s-]/u.test(text)) return false;
    return (
      plain[0]!.split("-").every((part) => interfaceWords.has(part)) ||
      interfaceWords.has(plain[0]!.replaceAll("-", "")) ||
      // `Cookie-Einstellungen`
      (/^\p{Lu}\p{Ll}+-\p{Lu}\p{Ll}+$/u.test(tokens[0]!) && credentialWords.has(plain[0]!.split("-")[0]!)) ||
      /^\p{Lu}\p{L}*[^\0-\x7f]|^[^\0-\x7f]/u.test(tokens[0]!)
    );
  }
  const isSentence = plain.some((token) => inSentences.test(token)) || /[.?!:…]$/.test(text);
  const isCapital = /^\P{L}*\p{Lu}/u.test(text);
  if (isCapital && (isSentence || tokens.slice(1).some((token) => /^(?:\p{Ll}|\d)/u.test(token)))) return true;
  if (tokens.length > 2 && plain.filter((token) => inSentences.test(token)).length > (/[.?!:…]$/.test(text) ? 0 : 1))
    return true;
  return (isCapital || isSentence || plain.length < 4) && plain.some((token) => credentialWords.has(token));
}
