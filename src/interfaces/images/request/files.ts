/** Rules on uploaded images: format, size in bytes, shape, transparency, and what the form says about them. */

import { spend } from "../../../check/budget.ts";
import { warns } from "../../../check/clause.ts";
import { editForm } from "../../../check/edit-form.ts";
import { excerptOf } from "../../../check/excerpt.ts";
import type { Fault, Rule, Undecided } from "../../../check/rule.ts";
import type { Subject } from "../../../check/subject.ts";
import { inWords } from "../../../check/unquoted.ts";
import type { FormUpload } from "../../../wire/build.ts";
import type { Exchange } from "../../../wire/exchange.ts";
import { imageFacts, transparentPixel, unpackedSize } from "../../../wire/image.ts";
import { withKind } from "../examples/edit-form.ts";
import { plainPng, widerPng } from "../examples/small-png.ts";
import {
  filesOf,
  isOperation,
  type Kind,
  mayBe,
  type OperationName,
  type Upload,
  undecidedKind,
} from "../reading/fields.ts";

/** The uploads and requests that a rule speaks about; without a kind it speaks about those of every kind. */
export interface Scope {
  readonly operation: OperationName;
  readonly field: "image" | "mask";
  readonly kind?: Kind;
}

/** The uploads a scope covers. */
export function uploadsIn(subject: Subject, { operation, field, kind }: Scope): readonly Upload[] {
  if (!isOperation(subject, operation) || (kind && !mayBe(subject, kind))) return [];
  const { images, mask } = filesOf(subject);
  return field === "image" ? images : mask ? [mask] : [];
}

/** A fault at one upload. */
export function uploadFault({ part }: Upload, fault: Omit<Fault, "side" | "in" | "pointer">): Fault {
  return { side: "request", in: "form", pointer: `/${part.name}`, ...fault };
}

/** A rule that looks at one upload after the other. */
function eachUpload(
  clause: string,
  scope: Scope,
  judge: (upload: Upload, subject: Subject) => Fault | undefined,
  spoil: (upload: FormUpload) => FormUpload | undefined,
  concerns: (upload: Upload) => boolean = () => true,
): Rule {
  return {
    clause,
    applies: (subject) => uploadsIn(subject, scope).some(concerns),
    *check(subject): Iterable<Fault | Undecided> {
      const unknown = scope.kind && undecidedKind(subject);
      if (unknown) return yield unknown;
      for (const upload of uploadsIn(subject, scope)) {
        const fault = concerns(upload) ? judge(upload, subject) : undefined;
        if (fault) yield fault;
      }
    },
    spoil: (exchange) => editUpload(scope.kind ? withKind(exchange, scope.kind) : exchange, scope.field, spoil),
  };
}

/** Changes the first upload of a field; undefined where there is none or `change` declines. */
export function editUpload(
  exchange: Exchange,
  field: Scope["field"],
  change: (upload: FormUpload) => FormUpload | undefined,
): Exchange | undefined {
  return editForm(exchange, (fields) => {
    const at = fields.findIndex(([name, value]) => name.replace("[]", "") === field && typeof value !== "string");
    const found = fields[at];
    const changed = found && change(found[1] as FormUpload);
    return changed && found && fields.with(at, [found[0], changed]);
  });
}

const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** Uploads have one of the formats, recognised by their first bytes (reading I-SNIFF). */
export function fileFormat(clause: string, scope: Scope, formats: readonly string[]): Rule {
  return eachUpload(
    clause,
    scope,
    (upload) =>
      formats.includes(upload.facts.format)
        ? undefined
        : uploadFault(upload, {
            expected: `${formats.join(", ").toUpperCase()} bytes`,
            actual: inWords(upload.facts.format === "unknown" ? "bytes of no known image format" : upload.facts.format),
          }),
    () => ({ filename: "image.gif", contentType: "image/gif", bytes: gif }),
  );
}

/** Uploads have less than so many megabytes: binary ones, decimal ones where reading I-MB is strict. */
export function fileSize(clause: string, scope: Scope, megabytes: number): Rule {
  const [decimal, binary] = [megabytes * 1_000_000, megabytes << 20];
  return eachUpload(
    clause,
    scope,
    (upload) => {
      const actual = upload.part.bytes.length;
      if (actual < decimal) return undefined;
      const expected = `less than ${megabytes} MB (${actual >= binary ? binary : decimal} bytes)`;
      const reading = warns("I-MB");
      return uploadFault(upload, { expected, actual, ...(actual < binary && { reading }) });
    },
    (upload) => ({
      ...upload,
      bytes: Buffer.concat([upload.bytes, Buffer.alloc(Math.max(0, binary - upload.bytes.length))]),
    }),
  );
}

/** PNG uploads are as wide as high; `spoil` gives a mask the same size, so that no other rule fails. */
export function square(clause: string, scope: Scope): Rule {
  const rule = eachUpload(
    clause,
    scope,
    (upload) => {
      const { width, height } = upload.facts;
      return width === height
        ? undefined
        : uploadFault(upload, { expected: "a square image", actual: inWords(`${width}x${height}`) });
    },
    (upload) => upload,
    ({ facts }) => facts.format === "png" && facts.width !== undefined && facts.height !== undefined,
  );
  const widen = (upload: FormUpload): FormUpload => ({ ...upload, bytes: widerPng(upload.bytes, 1) });
  return {
    ...rule,
    spoil(exchange) {
      const widened = editUpload(exchange, "image", widen);
      return widened && (editUpload(widened, "mask", widen) ?? widened);
    },
  };
}

/** Bytes of pixels that are unpacked and looked at for one step of the budget. */
const unpackedAStep = 8;

/** PNG uploads have transparent areas (reading I-ALPHA): an alpha channel at least, a transparent pixel at best. */
export function transparency(clause: string, scope: Scope, when: (subject: Subject) => boolean): Rule {
  const opaqueMask = scope.field === "mask";
  const reading = warns("I-ALPHA");
  const rule = eachUpload(
    clause,
    scope,
    (upload, { budget }) => {
      const expected = "fully transparent areas";
      if (upload.facts.alpha === false)
        return uploadFault(upload, { expected, actual: inWords("no alpha channel"), ...(opaqueMask && { reading }) });
      spend(budget, unpackedSize(upload.part.bytes) / unpackedAStep);
      return transparentPixel(upload.part.bytes) === false
        ? uploadFault(upload, { expected, actual: inWords("no pixel of alpha zero"), reading })
        : undefined;
    },
    (upload) => {
      const { width, height } = imageFacts(upload.bytes);
      const isSmall = width && height && width * height <= 1 << 22;
      return isSmall ? { ...upload, bytes: plainPng({ width, height }) } : undefined;
    },
    ({ facts }) => facts.format === "png" && facts.alpha !== undefined,
  );
  return { ...rule, applies: (subject) => when(subject) && rule.applies(subject) };
}

const subtypes: Readonly<Record<string, RegExp>> = {
  png: /^(?:x-)?png$/,
  jpeg: /^(?:p?jpeg|jpg|jpe|jfif)$/,
  webp: /^webp$/,
  gif: /^gif$/,
};

type Agreement = "agrees" | "open" | "contradicts";

/** How a declared name of a format stands to the format of the bytes; a name nobody knows says nothing against it. */
function agreement(declared: string | undefined, format: string): Agreement {
  if (declared === undefined || subtypes[format]?.test(declared)) return "agrees";
  return Object.values(subtypes).some((known) => known.test(declared)) ? "contradicts" : "open";
}

/** The word of an upload's file name and Content-Type on the format of its bytes, at worst. */
function declaredOf({ part, facts }: Upload): Agreement {
  const extension = /\.(\w+)$/.exec(part.filename ?? "")?.[1]?.toLowerCase();
  const [, type, subtype] = /^([\w-]+)\/([\w.+-]+)/.exec(part.contentType?.toLowerCase() ?? "") ?? [];
  const isGeneric = subtype === "octet-stream";
  const media = type === undefined || type === "image" || isGeneric ? agreement(subtype, facts.format) : "contradicts";
  const found = [agreement(extension, facts.format), media];
  return found.includes("contradicts") ? "contradicts" : found.includes("open") ? "open" : "agrees";
}

/** File name and Content-Type of an upload do not contradict its bytes (reading I-SNIFF: when strict, they agree). */
export function declaredFormat(operation: OperationName): Rule {
  const all = (subject: Subject): readonly Upload[] =>
    (["image", "mask"] as const).flatMap((field) => uploadsIn(subject, { operation, field }));
  return {
    clause: `images.${operation}.declared-format`,
    applies: (subject) => all(subject).some(({ facts }) => facts.format !== "unknown"),
    *check(subject) {
      for (const upload of all(subject)) {
        const { facts, part } = upload;
        if (facts.format === "unknown") continue;
        const found = declaredOf(upload);
        if (found !== "agrees")
          yield uploadFault(upload, {
            expected: `a name and a media type of ${facts.format}`,
            actual: inWords(
              [part.filename, part.contentType]
                .filter(Boolean)
                .map((one) => excerptOf(one))
                .join(", "),
            ),
            reading: { id: "I-SNIFF", default: found === "open" ? "off" : "warning", strict: "error" },
          });
      }
    },
    spoil: (exchange) => editUpload(exchange, "image", (upload) => ({ ...upload, filename: "image.gif" })),
  };
}
