/** Writes the bodies of refusals as a document describes its errors. */
import type { RefusalReason } from "../check/interface.ts";
import { isObject } from "../wire/json.ts";
import type { OperationBodies } from "./body-nodes.ts";
import { faultOf } from "./check-value.ts";
import { createMaker } from "./make-values.ts";
import type { OpenApi } from "./openapi.ts";

/** The body that an operation refuses a request with: what its document describes for the status, with our message where it has a place for one. */
export function refusalBodyOf(
  doc: OpenApi,
  bodies: OperationBodies | undefined,
  {
    status,
    message,
    finding,
  }: Pick<RefusalReason, "status" | "message"> & { readonly finding: { readonly clause: string } },
): object {
  const plain = { error: { message, type: "invalid_request", code: finding.clause } };
  const statuses = [String(status), `${Math.floor(status / 100)}XX`, "DEFAULT"];
  const node = statuses
    .flatMap((one) => bodies?.replies.filter(({ reply }) => reply.status === one) ?? [])
    .find(({ json }) => json !== undefined)?.json;
  if (!bodies || !node) return plain;
  const shape = bodies.shape.response;
  const made = createMaker({ doc, shape }).smallest(node);
  const empty = isObject(made) ? made : {};
  const inner = isObject(empty["error"]) ? empty["error"] : {};
  const candidates = [
    { ...empty, error: { ...inner, ...plain.error } },
    { ...empty, error: { ...inner, message } },
    { ...empty, message },
    { ...empty, error: message },
  ];
  return candidates.find((body) => faultOf(body, node, shape) === undefined) ?? empty;
}
