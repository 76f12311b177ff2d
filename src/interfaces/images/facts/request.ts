/** Reads what an image request asks, from JSON and from forms. */
import type { Subject } from "../../../check/subject.ts";
import type { FormPart } from "../../../wire/multipart.ts";
import type { FileFact, RequestFacts } from "../../common/facts/model.ts";
import { known } from "../../common/facts/read.ts";
import { settingsOf } from "../../common/facts/settings.ts";
import { fieldOf, fieldText, filesOf, nullable } from "../reading/fields.ts";

const fileOf = ({ filename, contentType, bytes }: FormPart): FileFact => ({
  name: filename ?? "",
  bytes,
  ...known({ mediaType: contentType?.toLowerCase() }),
});

/** A field's value; numbers of forms are texts, and so is null. */
function valueIn(subject: Subject, name: string): unknown {
  const value =
    nullable.includes(name) && typeof fieldOf(subject, name) === "string"
      ? fieldText(subject, name)
      : fieldOf(subject, name);
  return name === "n" && typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
}

/** The facts of a request; undefined if its body cannot be read. */
export function requestFacts(subject: Subject): RequestFacts | undefined {
  const { kind } = subject.request.body;
  if (kind !== "json" && kind !== "form") return undefined;
  const { images, mask } = filesOf(subject);
  const files = known<Record<string, readonly FileFact[]>>({
    image: images.length > 0 ? images.map(({ part }) => fileOf(part)) : undefined,
    mask: mask && [fileOf(mask.part)],
  });
  const model = fieldOf(subject, "model");
  return {
    ...settingsOf(subject.interface, (at) => valueIn(subject, at.slice(1))),
    operation: subject.operation.name.split("/").at(-1)!,
    stream: false,
    system: [],
    turns: [],
    ...(typeof model === "string" && { model }),
    ...(Object.keys(files).length > 0 && { files }),
  };
}
