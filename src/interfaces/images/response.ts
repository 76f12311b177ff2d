/** Rules on the image response: how many images, in which form, what they hold, and the usage. */

import { notes, warns } from "../../check/clause.ts";
import type { Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { inWords } from "../../check/unquoted.ts";
import { sseEvent, streamResponse } from "../../wire/build.ts";
import { pointer } from "../../wire/pointer.ts";
import { base64Departure } from "../common/base64.ts";
import { duplicateKeys } from "../common/json.ts";
import { replyIsJson, replyMediaType, successIs200 } from "../common/response.ts";
import { streamWhenAsked } from "../common/streaming.ts";
import { editObject } from "./examples/edit-form.ts";
import { plainPng } from "./examples/small-png.ts";
import { countOf, fieldOf, fieldText, kindOf, undecidedKind } from "./reading/fields.ts";
import { isPlainText } from "./reading/pictures.ts";
import { at, editImages, imagesOf, isThere, picturesOf } from "./reading/reply.ts";

/** As many images come as n asked for: more is an error, fewer a warning (reading I-N-COUNT). */
const dataCount: Rule = {
  clause: "images.response.data-count",
  applies(subject) {
    const n = countOf(subject);
    const possible = n !== undefined && Number.isInteger(n) && n >= 1 && n <= 10;
    return possible && !(n > 1 && kindOf(subject) === "image-v3") && Array.isArray(subject.replyJson?.["data"]);
  },
  *check(subject) {
    const data = subject.replyJson?.["data"];
    const [n, count] = [countOf(subject) ?? 1, Array.isArray(data) ? data.length : 0];
    const fault = {
      expected: `${n} image${n === 1 ? "" : "s"}`,
      actual: inWords(`${count} image${count === 1 ? "" : "s"}`),
    };
    if (count > n) yield at("/data", fault);
    else if (count < n) yield at("/data", { ...fault, reading: warns("I-N-COUNT") });
  },
  spoil: (exchange) =>
    editObject(exchange, "response", ({ data }) => {
      if (Array.isArray(data)) while (data.length < 11) data.push(data[0]);
    }),
};

type Form = "url" | "b64_json";
const otherOf = (form: Form): Form => (form === "url" ? "b64_json" : "url");

/** The form that was asked for: by name, or by leaving the default; undefined where the request is at fault. */
function formAsked(subject: Subject): { form: Form; named: boolean } | undefined {
  const format = fieldText(subject, "response_format");
  if (format === "url" || format === "b64_json") return { form: format, named: true };
  const value = fieldOf(subject, "response_format") ?? undefined;
  return format === undefined && (value === undefined || typeof value === "string")
    ? { form: "url", named: false }
    : undefined;
}

/** Whether the default form binds: for image-multi the documents leave open what comes unasked (reading I-URL-B64). */
function formPresent(form: Form, clause: string): Rule {
  return {
    clause,
    applies: (subject) => formAsked(subject)?.form === form && imagesOf(subject).size > 0,
    *check(subject) {
      const named = formAsked(subject)?.named ?? false;
      for (const [i, image] of imagesOf(subject)) {
        if (isThere(image[form])) continue;
        const other = isThere(image[otherOf(form)]);
        const open = other && !named;
        // A model that is no text is the request's fault, and leaves its kind open.
        if (open && kindOf(subject) === undefined) return;
        const unknown = open ? undecidedKind(subject) : undefined;
        if (unknown) return yield unknown;
        yield at(pointer("data", i, form), {
          expected: `${form}, the response format`,
          actual: image[form],
          ...(other && { hint: `${otherOf(form)} stands in its place` }),
          ...(open && kindOf(subject) === "image-multi" && { reading: notes("I-URL-B64") }),
        });
      }
    },
    spoil: (exchange) =>
      editImages(exchange, (image) => {
        delete image[form];
      }),
  };
}

const oneForm: Rule = {
  clause: "images.response.one-form",
  applies: (subject) =>
    formAsked(subject) !== undefined && [...imagesOf(subject).values()].some(({ url, b64_json }) => url || b64_json),
  *check(subject) {
    const asked = formAsked(subject)!;
    for (const [i, image] of imagesOf(subject))
      if (isThere(image["url"]) && isThere(image["b64_json"]))
        yield at(pointer("data", i, otherOf(asked.form)), {
          expected: `${asked.form} alone`,
          actual: inWords("both forms"),
          reading: warns("I-URL-B64"),
        });
  },
  spoil: (exchange) =>
    editImages(exchange, (image) => {
      if (image["url"]) image["b64_json"] = Buffer.from(plainPng({ width: 1, height: 1 })).toString("base64");
      else image["url"] = "https://images.example/a.png";
    }),
};

const canonical: Rule = {
  clause: "images.response.b64-json-canonical",
  applies: (subject) => picturesOf(subject).size > 0,
  *check(subject) {
    for (const i of picturesOf(subject).keys()) {
      const text = imagesOf(subject).get(i)?.["b64_json"] as string;
      const departure = base64Departure(text);
      if (departure)
        yield at(pointer("data", i, "b64_json"), { expected: "canonical base64", actual: text, ...departure });
    }
  },
  spoil: (exchange) =>
    editImages(exchange, (image) => void (image["b64_json"] &&= `${image["b64_json"]}`.replace(/=*$/, "="))),
};

const holdsImage: Rule = {
  clause: "images.response.b64-json-image",
  applies: (subject) => picturesOf(subject).size > 0,
  *check(subject) {
    for (const [i, { bytes, facts }] of picturesOf(subject))
      if (facts.format === "unknown" && isPlainText(bytes))
        yield at(pointer("data", i, "b64_json"), {
          expected: "base64 of an image",
          actual: inWords(
            `base64 of the text ${JSON.stringify(Buffer.from(bytes.subarray(0, 40)).toString("latin1"))}`,
          ),
          reading: warns("I-OUT-IMAGE"),
        });
  },
  spoil: (exchange) =>
    editImages(exchange, (image) => void (image["b64_json"] &&= Buffer.from("no image at all").toString("base64"))),
};

/** A returned image has the size asked for; sizes nobody named bind image-v2 and image-v3 only (reading I-EDIT-SIZE). */
const outputSize: Rule = {
  clause: "images.response.output-size",
  applies: (subject) =>
    sizeAsked(subject) !== undefined &&
    [...picturesOf(subject).values()].some(({ facts }) => facts.width !== undefined),
  *check(subject) {
    const named = fieldText(subject, "size") !== undefined;
    const expected = sizeAsked(subject)!;
    for (const [i, { facts }] of picturesOf(subject)) {
      const actual = `${facts.width}x${facts.height}`;
      if (facts.width !== undefined && actual !== expected)
        yield at(pointer("data", i, "b64_json"), {
          expected: `an image of ${expected} pixels`,
          actual: inWords(actual),
          ...(!named && { reading: { id: "I-OUT-SIZE", default: "note", strict: "warning" } as const }),
        });
    }
  },
  spoil: (exchange) =>
    editImages(
      exchange,
      (image) => void (image["b64_json"] &&= Buffer.from(plainPng({ width: 3, height: 2 })).toString("base64")),
    ),
};

function sizeAsked(subject: Subject): string | undefined {
  const size = fieldText(subject, "size");
  if (size !== undefined) return /^\d+x\d+$/.test(size) ? size : undefined;
  const isDefault = (fieldOf(subject, "size") ?? undefined) === undefined;
  return isDefault && /^image-v[23]$/.test(kindOf(subject) ?? "") ? "1024x1024" : undefined;
}

const wholeReply = streamWhenAsked("images.response.not-streamed");

export const rules: readonly Rule[] = [
  replyIsJson("images.response.json"),
  {
    ...wholeReply,
    // A request for a stream, which is not documented, may get one or not.
    applies: (subject) => !subject.streamed && wholeReply.applies(subject),
    spoil: (exchange) => ({ ...exchange, response: streamResponse([sseEvent({ type: "image" })]) }),
  },
  duplicateKeys("images.response.duplicate-members", "response"),
  successIs200("images.response.status-200"),
  replyMediaType("images.response.media-type"),
  dataCount,
  canonical,
  holdsImage,
  formPresent("b64_json", "images.response.b64-json-present"),
  formPresent("url", "images.response.url-present"),
  oneForm,
  outputSize,
];
