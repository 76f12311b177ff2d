/** Finds examples and defaults of a document that violate their own schema. */

import type { OperationBodies } from "./body-nodes.ts";
import { faultOf } from "./check-value.ts";
import type { OpenApi } from "./openapi.ts";
import type { Shapes } from "./shape.ts";

/** Notes examples and defaults that violate the schema they stand beside. */
export function noteFaultySamples(doc: OpenApi, shapes: readonly Shapes[], bodies: readonly OperationBodies[]): void {
  for (const { all, of } of shapes)
    for (const { node, samples } of all())
      for (const { keyword, value, pointer } of samples) {
        const fault = faultOf(value, node, of);
        if (fault !== undefined)
          doc.contradict(
            pointer,
            `This ${keyword === "default" ? "default" : "example"} violates its schema: ${fault}.`,
          );
      }
  for (const { described, request, forms, replies, shape } of bodies) {
    const ofForms = described.body?.forms ?? [];
    const examples = [
      { node: request, of: shape.request, pointers: described.body?.examples ?? [] },
      ...forms.map(({ node }, i) => ({ node, of: shape.request, pointers: ofForms[i]?.examples ?? [] })),
      ...replies.map(({ json, reply }) => ({ node: json, of: shape.response, pointers: reply.examples })),
    ];
    for (const { node, of, pointers } of examples)
      for (const pointer of node ? pointers : []) {
        const fault = faultOf(doc.at(pointer), node!, of);
        if (fault !== undefined) doc.contradict(pointer, `This example violates its schema: ${fault}.`);
      }
  }
}
