/** Rules on the image response: how many images, in which form, what they hold, and the usage. */
import type { Grade } from "../../check/clause.ts";
import type { Fault, Rule } from "../../check/rule.ts";
import { isObject, remember, replyJson, type Subject } from "../../check/subject.ts";
import { base64Blemish, base64Problem } from "../../wire/base64.ts";
import { sseEvent, streamResponse } from "../../wire/build.ts";
import { editJson } from "../../wire/edit.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { type ImageFacts, imageFacts } from "../../wire/image.ts";
import { pointer } from "../../wire/pointer.ts";
import { duplicateKeys, replyIsJson, replyMediaType, streamWhenAsked, successIs200 } from "../common.ts";
import { requestJsonOf } from "./edit-form.ts";
import { countOf, fieldOf, kindOf, mayBe, textOf, undecidedKind } from "./fields.ts";
import { plainPng } from "./small-png.ts";

type Image = Readonly<Record<string, unknown>>;
type Reply = Record<string, unknown>;

const at = (place: string, fault: Omit<Fault, "side" | "in" | "pointer">): Fault => ({
  side: "response",
  in: "body",
  pointer: place,
  ...fault,
});
const graded = (id: string, level: Grade["default"] = "warning"): { reading: Grade } => ({
  reading: { id, default: level, strict: "error" },
});

/** The image objects of a successful reply by position; entries that are none have no place here. */
function imagesOf(subject: Subject): ReadonlyMap<number, Image> {
  return remember(subject, readImages);
}

function readImages(subject: Subject): ReturnType<typeof imagesOf> {
  const data = replyJson(subject)?.["data"];
  const entries: readonly unknown[] = Array.isArray(data) ? data : [];
  return new Map(entries.flatMap((entry, i) => (isObject(entry) ? [[i, entry] as const] : [])));
}

/** Facts of every b64_json that can be decoded, by position. */
function picturesOf(subject: Subject): ReadonlyMap<number, { readonly bytes: Uint8Array; readonly facts: ImageFacts }> {
  return remember(subject, readPictures);
}

function readPictures(subject: Subject): ReturnType<typeof picturesOf> {
  return new Map(
    [...imagesOf(subject)].flatMap(([i, { b64_json: text }]) => {
      if (typeof text !== "string" || base64Problem(text) !== undefined) return [];
      const bytes = Buffer.from(text, "base64");
      return [[i, { bytes, facts: imageFacts(bytes) }] as const];
    }),
  );
}

/** Changes every image of a reply. */
const editImages = (exchange: Exchange, change: (image: Reply) => void): Exchange =>
  editJson(exchange, "response", (body: { data: Reply[] }) => body.data.forEach(change));

/** As many images come as n asked for: more is an error, fewer a warning (reading I-N-COUNT). */
const dataCount: Rule = {
  clause: "images.response.data-count",
  applies(subject) {
    const n = countOf(subject);
    const possible = n !== undefined && Number.isInteger(n) && n >= 1 && n <= 10;
    return possible && !(n > 1 && kindOf(subject) === "image-v3") && Array.isArray(replyJson(subject)?.["data"]);
  },
  *check(subject) {
    const data = replyJson(subject)?.["data"];
    const [n, count] = [countOf(subject) ?? 1, Array.isArray(data) ? data.length : 0];
    const fault = { expected: `${n} image${n === 1 ? "" : "s"}`, actual: `${count}` };
    if (count > n) yield at("/data", fault);
    else if (count < n) yield at("/data", { ...fault, ...graded("I-N-COUNT") });
  },
  spoil: (exchange) =>
    editJson(exchange, "response", (body: { data: unknown[] }) => {
      while (body.data.length < 11) body.data.push(body.data[0]);
    }),
};

const isThere = (value: unknown): boolean => value !== undefined && value !== null;

type Form = "url" | "b64_json";
const otherOf = (form: Form): Form => (form === "url" ? "b64_json" : "url");

/** The form that was asked for: by name, or by leaving the default; undefined where the request is at fault. */
function formAsked(subject: Subject): { form: Form; named: boolean } | undefined {
  const format = textOf(subject, "response_format");
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
        const unknown = open ? undecidedKind(subject) : undefined;
        if (unknown) return yield unknown;
        yield at(pointer("data", i, form), {
          expected: `${form}, the response format`,
          actual: other ? `${otherOf(form)} instead` : image[form],
          ...(open && kindOf(subject) === "image-multi" && graded("I-URL-B64", "note")),
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
          actual: "both forms",
          ...graded("I-URL-B64"),
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
      const [blemish, strictly] = [base64Blemish(text), base64Blemish(text, true)];
      const fault = { expected: "canonical base64", actual: text, hint: blemish ?? strictly ?? "" };
      if (blemish) yield at(pointer("data", i, "b64_json"), { ...fault, ...graded("X-BASE64") });
      else if (strictly) yield at(pointer("data", i, "b64_json"), { ...fault, ...graded("X-BASE64", "off") });
    }
  },
  spoil: (exchange) =>
    editImages(exchange, (image) => void (image["b64_json"] &&= `${image["b64_json"]}`.replace(/=*$/, "="))),
};

/** Bytes that are a text cannot be an image, apart from SVG; other unknown bytes may be a format we do not know. */
function isPlainText(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 4096)).toString("latin1");
  return /^[\t\n\r\x20-\x7e]*$/.test(head) && !/<svg/i.test(head);
}

const holdsImage: Rule = {
  clause: "images.response.b64-json-image",
  applies: (subject) => picturesOf(subject).size > 0,
  *check(subject) {
    for (const [i, { bytes, facts }] of picturesOf(subject))
      if (facts.format === "unknown" && isPlainText(bytes))
        yield at(pointer("data", i, "b64_json"), {
          expected: "base64 of an image",
          actual: `base64 of the text ${JSON.stringify(Buffer.from(bytes.subarray(0, 40)).toString("latin1"))}`,
          ...graded("I-OUT-IMAGE"),
        });
  },
  spoil: (exchange) =>
    editImages(exchange, (image) => void (image["b64_json"] &&= Buffer.from("no image at all").toString("base64"))),
};

const urlAbsolute: Rule = {
  clause: "images.response.url-absolute",
  applies: (subject) => [...imagesOf(subject).values()].some(({ url }) => typeof url === "string"),
  *check(subject) {
    for (const [i, { url }] of imagesOf(subject))
      if (typeof url === "string" && !/^(?:https?:\/\/[^\s/]|data:image\/)/i.test(url))
        yield at(pointer("data", i, "url"), { expected: "an absolute http or https address", actual: url });
  },
  spoil: (exchange) => editImages(exchange, (image) => void (image["url"] &&= "not an address")),
};

/** A returned image has the size asked for; sizes nobody named bind image-v2 and image-v3 only (reading I-EDIT-SIZE). */
const outputSize: Rule = {
  clause: "images.response.output-size",
  applies: (subject) =>
    sizeAsked(subject) !== undefined &&
    [...picturesOf(subject).values()].some(({ facts }) => facts.width !== undefined),
  *check(subject) {
    const named = textOf(subject, "size") !== undefined;
    const expected = sizeAsked(subject)!;
    for (const [i, { facts }] of picturesOf(subject)) {
      const actual = `${facts.width}x${facts.height}`;
      if (facts.width !== undefined && actual !== expected)
        yield at(pointer("data", i, "b64_json"), {
          expected: `an image of ${expected} pixels`,
          actual,
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
  const size = textOf(subject, "size");
  if (size !== undefined) return /^\d+x\d+$/.test(size) ? size : undefined;
  const isDefault = (fieldOf(subject, "size") ?? undefined) === undefined;
  return isDefault && /^image-v[23]$/.test(kindOf(subject) ?? "") ? "1024x1024" : undefined;
}

const usageOf = (subject: Subject): Image | undefined => {
  const usage = replyJson(subject)?.["usage"];
  return isObject(usage) ? usage : undefined;
};

const usageOnlyMulti: Rule = {
  clause: "images.response.usage-only-image-multi",
  applies: (subject) => usageOf(subject) !== undefined && kindOf(subject) !== undefined,
  *check(subject) {
    const unknown = undecidedKind(subject);
    if (unknown) return yield unknown;
    if (kindOf(subject) !== "image-multi")
      yield at("/usage", { expected: `no usage, since the model is ${kindOf(subject)}`, actual: usageOf(subject) });
  },
  spoil(exchange) {
    const { model, ...rest } = requestJsonOf(exchange);
    const plain = (rest["size"] ?? "1024x1024") === "1024x1024" && String(rest["prompt"]).length <= 1000;
    if (model !== "image-multi" || !plain || "quality" in rest) return undefined;
    return editJson(exchange, "request", (body: Reply) => void (body["model"] = "image-v2"));
  },
};

const usageOfMulti: Rule = {
  clause: "images.response.usage-image-multi",
  applies: (subject) => mayBe(subject, "image-multi") && Array.isArray(replyJson(subject)?.["data"]),
  *check(subject) {
    if (isThere(replyJson(subject)?.["usage"])) return;
    const unknown = undecidedKind(subject);
    if (unknown) return yield unknown;
    yield at("/usage", { expected: "the usage of image-multi", actual: undefined, ...graded("I-USAGE") });
  },
  spoil: (exchange) =>
    editJson(exchange, "response", (body: Reply) => {
      delete body["usage"];
    }),
};

/** One count is the sum of two others, all of them integers. */
function sum(
  clause: string,
  whole: string,
  parts: readonly [string, string],
  of: (usage: Image) => Image | undefined,
  spoilt: readonly [holder: readonly string[], member: string],
): Rule {
  const numbersOf = (subject: Subject): readonly number[] | undefined => {
    const usage = usageOf(subject);
    const values = [usage?.[whole], ...parts.map((name) => usage && of(usage)?.[name])];
    return values.every((value): value is number => Number.isInteger(value)) ? values : undefined;
  };
  return {
    clause,
    applies: (subject) => numbersOf(subject) !== undefined,
    *check(subject) {
      const [total = 0, a = 0, b = 0] = numbersOf(subject) ?? [];
      if (total !== a + b)
        yield at(`/usage/${whole}`, {
          expected: `${a + b}, ${parts.join(" plus ")}`,
          actual: total,
          ...graded("I-USAGE"),
        });
    },
    spoil: (exchange) =>
      editJson(exchange, "response", (body: Reply) => {
        const holder = spoilt[0].reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), body);
        if (isObject(holder)) holder[spoilt[1]] = Number(holder[spoilt[1]]) + 1;
      }),
  };
}

export const rules: readonly Rule[] = [
  replyIsJson("images.response.json"),
  {
    ...streamWhenAsked("images.response.not-streamed"),
    spoil: (exchange) => ({ ...exchange, response: streamResponse([sseEvent({ type: "image" })]) }),
  },
  duplicateKeys("images.response.duplicate-members", "response"),
  successIs200("images.response.status-200"),
  replyMediaType("images.response.media-type"),
  dataCount,
  canonical,
  holdsImage,
  formPresent("b64_json", "images.response.b64-json-present"),
  urlAbsolute,
  formPresent("url", "images.response.url-present"),
  oneForm,
  usageOnlyMulti,
  usageOfMulti,
  sum("images.response.usage-total", "total_tokens", ["input_tokens", "output_tokens"], (usage) => usage, [
    ["usage"],
    "total_tokens",
  ]),
  sum(
    "images.response.usage-input-sum",
    "input_tokens",
    ["text_tokens", "image_tokens"],
    (usage) => {
      const details = usage["input_tokens_details"];
      return isObject(details) ? details : undefined;
    },
    [["usage", "input_tokens_details"], "text_tokens"],
  ),
  outputSize,
];
