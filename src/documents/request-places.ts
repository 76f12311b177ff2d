/** Applies key, model, streams and extensions of `interface.json` to an interface. */
import type { Interface, KeyPlace, ModelPlace } from "../check/interface.ts";
import { requestMembers } from "../check/multipart-value.ts";
import type { Operation } from "../check/operation.ts";
import { UserError } from "../user-error.ts";
import { resolvePointer } from "../wire/pointer.ts";
import type { Description, StreamPlace } from "./interface-file.ts";

/** Replaces the derived settings of an interface. Throws UserError if no path has the parameter. */
export function withPlaces(of: Interface, { key, model, stream, extensions }: Description, file: string): Interface {
  return {
    ...of,
    ...(key && { key: keyPlaceIn(key) }),
    ...(extensions !== undefined && { extensions }),
    ...(model && { model: modelPlaceIn(model, of.operations, file) }),
    ...((stream?.body ?? stream?.path) !== undefined && { streams: streamsIn(stream!) }),
    ...(stream?.end !== undefined && {
      operations: of.operations.map((one): Operation => ({ ...one, terminator: stream.end! })),
    }),
  };
}

const keyPlaceIn = ({ optional: _optional, ...place }: NonNullable<Description["key"]>): KeyPlace => place;

/** Returns a test for requests of streams: by body, by path, or because the operation always streams. */
export const streamsIn =
  ({ body, path }: StreamPlace): Interface["streams"] =>
  (subject) => {
    const {
      operation: { schemas },
      path: asked,
    } = subject;
    return (
      (schemas.event !== undefined && schemas.response === undefined) ||
      (body !== undefined && resolvePointer(requestMembers(subject), body) === true) ||
      (path !== undefined && asked.endsWith(path))
    );
  };

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Converts a path of a document to a regular expression. Parameters match any text without a slash. */
const expressionOf = (path: string): string =>
  path
    .split(/(\{[^}]*\})/)
    .map((piece) => (piece.startsWith("{") ? "[^/?]+" : escaped(piece)))
    .join("");

function modelPlaceIn(
  { body, path }: NonNullable<Description["model"]>,
  operations: readonly Operation[],
  file: string,
): ModelPlace {
  if (path === undefined) return { ...(body !== undefined && { body }) };
  const parts = operations
    .map(({ name }) => / ([^?]*)/.exec(name)![1]!.split(`{${path}}`))
    .filter((pieces) => pieces.length === 2);
  if (parts.length === 0)
    throw new UserError(
      `${file}: "model.path" is ${path}, which is no parameter of a path`,
      `Write an operation such as "POST /models/{${path}}:answer", or the name of another parameter.`,
    );
  const places = parts.map(
    ([before = "", after = ""]) => `(?<=${expressionOf(before)})[^/?]+?(?=${expressionOf(after)}/?(?:\\?|$))`,
  );
  return { ...(body !== undefined && { body }), target: new RegExp(`()(${places.join("|")})`) };
}
