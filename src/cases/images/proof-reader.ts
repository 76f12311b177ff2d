/** How the proof client reads answers with pictures. */
import { isObject } from "../../wire/json.ts";
import { type AnswerReader, ReportedError } from "../proof/reading.ts";

export function proofReader(): AnswerReader {
  return {
    event: () => undefined,
    body(reading, body) {
      if (!isObject(body)) throw new TypeError("the reply is no object");
      if (isObject(body["error"])) throw new ReportedError(String(body["error"]["message"]));
      const pictures = Array.isArray(body["data"]) ? body["data"].filter(isObject) : [];
      if (pictures.length === 0) throw new TypeError("the reply has no pictures");
      const each = pictures.map(({ url, b64_json: base64 }) => String(url ?? base64));
      reading.pictures.push(...each.filter((one) => one.startsWith("http")));
      reading.texts.push(each.map((one) => (one.startsWith("http") ? new URL(one).pathname : one)).join("\n"));
      reading.isOver = true;
    },
  };
}
