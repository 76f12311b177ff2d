/** Finds examples and defaults of a document that violate their own schema. */

import type { OperationBodies } from "./body-nodes.ts";
import { faultOf } from "./check-value.ts";
import { type Demand, samplesOf } from "./demands.ts";
import { samplesOfReplies } from "./extension-samples.ts";
import { nodeOf, type Plain } from "./node.ts";
import type { OpenApi } from "./openapi.ts";
import { examplesIn } from "./operations.ts";
import type { Shapes } from "./shape.ts";

/** Notes examples and defaults that violate the schema they stand beside. */
export function noteFaultySamples(doc: OpenApi, shapes: readonly Shapes[], bodies: readonly OperationBodies[]): void {
  const note = ({ keyword, pointer }: Demand, fault: string | undefined): void => {
    const what = keyword === "default" ? "default" : "example";
    if (fault !== undefined) doc.contradict(pointer, `This ${what} violates its schema: ${fault}.`);
  };
  // A sample shows the schema beside it, and not all that holds with this schema elsewhere.
  for (const { all, of } of shapes)
    for (const sample of new Set(all().flatMap(({ samples }) => samples)))
      note(sample, faultOf(sample.value, nodeOf(doc, [sample.of]), of));
  for (const pointer of doc.references) {
    const node = nodeOf(doc, [pointer]);
    for (const sample of samplesOf({ pointer, schema: doc.at(pointer) as Plain["schema"] })) {
      const faults = shapes.map(({ of }) => faultOf(sample.value, node, of));
      // It is not known which direction the reference is read for.
      if (faults.every((fault) => fault !== undefined)) note(sample, faults[0]);
    }
  }
  for (const { described, request, forms, replies, shape } of bodies) {
    const ofForms = described.body?.forms ?? [];
    const examples = [
      { node: request, of: shape.request, pointers: described.body?.examples ?? [] },
      ...forms.map(({ node }, i) => ({ node, of: shape.request, pointers: ofForms[i]?.examples ?? [] })),
      ...replies.map(({ json, reply }) => ({ node: json, of: shape.response, pointers: reply.examples })),
      ...described.parameters.map((one) => ({
        node: one.schema === undefined ? undefined : nodeOf(doc, [one.schema]),
        of: shape.request,
        pointers: examplesIn(doc, one),
      })),
    ];
    for (const { node, of, pointers } of examples)
      for (const pointer of node ? pointers : []) {
        const fault = faultOf(doc.at(pointer), node!, of);
        if (fault !== undefined) doc.contradict(pointer, `This example violates its schema: ${fault}.`);
      }
    const good = replies.find(({ reply, json }) => json !== undefined && reply.status.startsWith("2"));
    for (const { pointer, value } of good ? samplesOfReplies(described.pointer, doc.at(described.pointer)) : []) {
      const fault = faultOf(value, good!.json!, shape.response);
      if (fault !== undefined) doc.contradict(pointer, `This example violates its schema: ${fault}.`);
    }
  }
}
