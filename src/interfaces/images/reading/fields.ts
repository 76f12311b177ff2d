/** Reads the fields of an image request, from JSON and forms in the same way, and finds its image kind. */
import { isFile } from "../../../check/multipart-value.ts";
import type { Undecided } from "../../../check/rule.ts";
import { remember, type Subject } from "../../../check/subject.ts";
import { type ImageFacts, imageFacts } from "../../../wire/image.ts";
import type { FormPart } from "../../../wire/multipart.ts";

export type OperationName = "generations" | "edits" | "variations";
export type Kind = "image-v2" | "image-v3" | "image-multi";

/** Whether the exchange belongs to one of the three operations. */
export function isOperation({ operation }: Subject, name: OperationName): boolean {
  return operation.name.endsWith(`/${name}`);
}

/** One uploaded file with what its bytes say. */
export interface Upload {
  readonly part: FormPart;
  readonly facts: ImageFacts;
}

interface Form {
  readonly texts: ReadonlyMap<string, string>;
  readonly images: readonly Upload[];
  readonly mask?: Upload;
  /** Whether anything came under the name of the mask. */
  readonly masked: boolean;
}

function readForm({ request }: Subject): Form {
  const texts = new Map<string, string>();
  const images: Upload[] = [];
  let mask: Upload | undefined;
  let masked = false;
  for (const part of request.body.kind === "form" ? request.body.parts : []) {
    masked ||= part.name === "mask";
    if (!isFile(part)) {
      if (!texts.has(part.name)) texts.set(part.name, part.text ?? "");
      continue;
    }
    const upload = (): Upload => ({ part, facts: imageFacts(part.bytes) });
    if (part.name === "image" || part.name === "image[]") images.push(upload());
    else if (part.name === "mask") mask ??= upload();
  }
  return { texts, images, masked, ...(mask && { mask }) };
}

const formOf = remember(readForm);

/** The files of a form, images in order; none where the request is no form. */
export const filesOf: (subject: Subject) => Omit<Form, "texts"> = formOf;

/** A field as sent: any JSON value, or the first text of that name in a form; undefined when absent. */
export function fieldOf(subject: Subject, name: string): unknown {
  if (subject.request.body.kind === "form") return formOf(subject).texts.get(name);
  const body = subject.requestJson;
  return Object.hasOwn(body, name) ? body[name] : undefined;
}

/** Fields whose type includes null; in a form an empty text or the word stands for it (reading I-FORM-NULL). */
export const nullable = ["n", "quality", "response_format", "size"];

/** A field's text; undefined when it is absent, null, a null written as text, or no text at all. */
export function fieldText(subject: Subject, name: string): string | undefined {
  const value = fieldOf(subject, name);
  if (typeof value !== "string") return undefined;
  const isNull = subject.request.body.kind === "form" && nullable.includes(name) && (value === "" || value === "null");
  return isNull ? undefined : value;
}

/** How many images are asked for; undefined where `n` is no number. */
export function countOf(subject: Subject): number | undefined {
  const value = fieldOf(subject, "n") ?? 1;
  if (typeof value === "number") return value;
  if (typeof value !== "string" || subject.request.body.kind !== "form") return undefined;
  const text = fieldText(subject, "n") ?? "1";
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Whether an edit uses what only image-multi knows (reading I-TREATED-V2). */
export function isMultiSpecific(subject: Subject): boolean {
  const { images } = filesOf(subject);
  return (
    /^(?:high|medium|low)$/.test(fieldText(subject, "quality") ?? "") ||
    /^(?:auto|1536x1024|1024x1536)$/.test(fieldText(subject, "size") ?? "") ||
    images.length > 1 ||
    images.some(({ facts }) => facts.format === "webp" || facts.format === "jpeg")
  );
}

function readKind(subject: Subject): Kind | "unknown" | undefined {
  const model = fieldOf(subject, "model") ?? undefined;
  if (model !== undefined && typeof model !== "string") return undefined;
  if (model === undefined && isOperation(subject, "edits") && isMultiSpecific(subject)) return "image-multi";
  // The document says which kind a request without a model is for.
  if (model === undefined) return "image-v2";
  const kind = subject.names.modelKind(model) as Kind | undefined;
  if (kind !== undefined && subject.names.isInferred(kind, model)) subject.inferred[kind] = model;
  return kind ?? "unknown";
}

/** The image kind a request is for; `unknown` where no binding says so, undefined where the model is no text. */
export const kindOf: (subject: Subject) => Kind | "unknown" | undefined = remember(readKind);

/** Whether rules for a kind concern the exchange: it is of that kind, or may be. */
export function mayBe(subject: Subject, ...kinds: readonly Kind[]): boolean {
  const kind = kindOf(subject);
  return kind === "unknown" || kinds.includes(kind as Kind);
}

/** The binding that would decide the kind of a model nobody mapped; undefined if the kind is known. */
export function undecidedKind(subject: Subject): Undecided | undefined {
  if (kindOf(subject) !== "unknown") return undefined;
  return { needs: `bind image-v2, image-v3 or image-multi to ${JSON.stringify(fieldText(subject, "model"))}` };
}
