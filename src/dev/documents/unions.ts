/** Counts the unions of a document by how their alternatives are told apart. */
import { objectFittingNone } from "../../documents/fits-none.ts";
import { allowsType, type TypeName } from "../../documents/json-types.ts";
import { type Node, nodeOf, type Union } from "../../documents/node.ts";
import type { OpenApi } from "../../documents/openapi.ts";
import { createShapes } from "../../documents/shape.ts";
import { type Choice, chooseObject, ofType } from "../../documents/tell-apart.ts";
import type { SchemaPlace } from "./schema-places.ts";

export type Way =
  | "type"
  | "discriminator"
  | "constant member"
  | "required members"
  | "every alternative tried"
  | "opaque";

/** Best known last: a union is as good as its worst part. */
const ways: readonly Way[] = [
  "type",
  "discriminator",
  "constant member",
  "required members",
  "every alternative tried",
  "opaque",
];
const worst = (found: readonly Way[]): Way =>
  found.reduce((one, other) => (ways.indexOf(one) > ways.indexOf(other) ? one : other), "type");

/** Pointer of each union of two alternatives or more, null left aside, to how it is told apart. */
export function unionsOf(doc: OpenApi, schemas: readonly SchemaPlace[]): ReadonlyMap<string, Way> {
  const { of: shape } = createShapes(doc, "response");
  const found = new Map<string, Way>();
  for (const { pointer, schema } of schemas) {
    if (!Array.isArray(schema["anyOf"]) && !Array.isArray(schema["oneOf"])) continue;
    for (const union of shape(nodeOf(doc, [pointer])).unions) found.set(union.pointer, wayOf(union, { doc, shape }));
  }
  return found;
}

interface Apart {
  readonly doc: OpenApi;
  readonly shape: ReturnType<typeof createShapes>["of"];
}

function wayOf(union: Union, apart: Apart): Way {
  const objects = ofType(union.nodes, "object", apart);
  const ofObjects = objects.length < 2 ? "type" : wayOfChoice(chooseObject(union, objects, apart), union, apart);
  return worst([
    ofObjects,
    ...(["string", "number", "boolean"] as const).map((type) => wayOfScalars(union, type, apart)),
  ]);
}

function wayOfChoice(choice: Choice, union: Union, apart: Apart): Way {
  if (choice.kind === "one") return "type";
  if (choice.kind === "any")
    return objectFittingNone(choice.nodes, apart, () => false) ? "every alternative tried" : "opaque";
  const own: Way =
    choice.kind === "required" ? "required members" : union.discriminator ? "discriminator" : "constant member";
  const absent = choice.kind === "member" ? choice.absent : undefined;
  const inner = [...choice.cases.map((one) => one.choice), choice.otherwise, absent];
  return worst([own, ...inner.flatMap((one) => (one ? [wayOfChoice(one, union, apart)] : []))]);
}

/** Texts, numbers and switches that all alternatives list, or that one alternative alone rules. */
function wayOfScalars({ nodes }: Union, type: TypeName, { shape }: Apart): Way {
  const demands = nodes
    .filter((node: Node) => allowsType(shape(node).types?.names ?? shape(node).implied, type))
    .map((node) => shape(node).demands);
  const isFree = demands.some((own) => own.size === 0);
  const areListed = demands.every((own) => own.has("enum") || own.has("const"));
  return demands.length < 2 || isFree || areListed ? "type" : "every alternative tried";
}
