/** A body, whatever it is. */
import type { JSX } from "preact";
import type { ReplyPart } from "../../check/reply-parts.ts";
import type { ViewedBody, ViewedField } from "../../view/viewed.ts";
import { Copy } from "./copy.tsx";
import { ImageShown } from "./image.tsx";
import { JsonTree } from "./json-tree.tsx";
import { MarkNotes } from "./mark-notes.tsx";
import { type Mark, nameOf, worstOf } from "./marks.ts";
import { plural, sized, visible } from "./shown.ts";
import { Stream } from "./stream.tsx";
import { Shown } from "./text.tsx";

/** Bytes in groups of two digits. */
const spaced = (hex: string): string => hex.replace(/../g, "$& ").trim();

function Hex({ hex, bytes }: { readonly hex: string; readonly bytes: number }): JSX.Element {
  return (
    <p class="mono">
      {spaced(hex)}
      {hex.length / 2 < bytes && (
        <span class="left-out"> … {plural(bytes - hex.length / 2, "byte")} not in this page</span>
      )}
    </p>
  );
}

function Field({ field, marks }: { readonly field: ViewedField; readonly marks: readonly Mark[] }): JSX.Element {
  const level = worstOf(marks);
  const { name, filename, contentType, bytes, value, image, hex } = field;
  return (
    <tr class={level && `marked m-${level}`} data-focus={marks.some(({ isFocus }) => isFocus) ? "" : undefined}>
      <th scope="row" class="mono">
        <Shown of={{ text: name }} first={120} />
      </th>
      <td>
        {(filename !== undefined || contentType !== undefined) && (
          <p class="soft">
            {filename !== undefined && `file ${visible(filename)}, `}
            {contentType !== undefined && `${visible(contentType)}, `}
            {sized(bytes)}
          </p>
        )}
        {value && (
          <span class="mono lines">
            <Shown of={value} lines first={2_000} />
          </span>
        )}
        {image && <ImageShown image={image} />}
        {hex !== undefined && <Hex hex={hex} bytes={bytes} />}
        <MarkNotes marks={marks} />
      </td>
    </tr>
  );
}

function Form({
  body,
  marks,
}: {
  readonly body: Extract<ViewedBody, { kind: "form" }>;
  readonly marks: readonly Mark[];
}): JSX.Element {
  const { fields, count } = body;
  const absent = marks.filter((mark) => nameOf(mark) !== "" && !fields.some(({ name }) => name === nameOf(mark)));
  return (
    <>
      <table class="pairs">
        <tbody>
          {fields.map((field, i) => (
            <Field key={i} field={field} marks={marks.filter((mark) => nameOf(mark) === field.name)} />
          ))}
          {absent.map((mark, i) => (
            <tr key={`absent ${i}`} class={`marked m-${mark.level}`} data-focus={mark.isFocus ? "" : undefined}>
              <th scope="row" class="mono">
                {visible(nameOf(mark))}
              </th>
              <td>
                <em>is not there</em>
                <MarkNotes marks={[mark]} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {count > fields.length && <p class="soft">{plural(count - fields.length, "field")} not in this page</p>}
    </>
  );
}

interface BodyProps {
  readonly body: ViewedBody;
  readonly bytes: number;
  readonly marks: readonly Mark[];
  readonly label: string;
  readonly replyParts?: readonly ReplyPart[];
}

export function Body({ body, bytes, marks, label, replyParts = [] }: BodyProps): JSX.Element {
  if (body.kind === "json")
    return (
      <>
        {!body.cuts && (
          <div class="tools">
            <Copy text={body.text} what={`the ${label}`} />
          </div>
        )}
        <div class="pane">
          <JsonTree of={body} label={label} marks={marks} />
        </div>
      </>
    );
  if (body.kind === "stream") return <Stream body={body} marks={marks} replyParts={replyParts} />;
  return (
    <>
      {body.kind === "text" && body.problem !== undefined && (
        <p class="problem">not valid JSON: {visible(body.problem)}</p>
      )}
      {body.kind === "text" && (
        <div class="mono lines">
          <Shown of={body} lines first={4_000} />
        </div>
      )}
      {body.kind === "form" && <Form body={body} marks={marks} />}
      {body.kind === "image" && <ImageShown image={body.image} />}
      {body.kind === "bytes" && (
        <>
          <p class="problem">{visible(body.problem)}</p>
          <Hex hex={body.hex} bytes={bytes} />
        </>
      )}
      {body.kind !== "form" && <MarkNotes marks={marks} />}
    </>
  );
}
