/** Derives an interface from operations of an OpenAPI document: its clauses, schemas, routes and examples. */

import type { Interface } from "../check/interface.ts";
import { requestMembers } from "../check/multipart-value.ts";
import type { Operation } from "../check/operation.ts";
import type { SchemaSource } from "../check/schema-files.ts";
import { isObject } from "../wire/json.ts";
import {
  type EventKind,
  eventKindsOf,
  eventNodeOf,
  isError,
  nodeOfAny,
  nodesByStatus,
  type OperationBodies,
  requestNodeOf,
  rootKeyOf,
} from "./body-nodes.ts";
import { createSection, type Schema, type Section, type SectionName, type WrittenClause } from "./clauses.ts";
import { eventsAreJson } from "./events-are-json.ts";
import { noteFaultySamples } from "./faulty-samples.ts";
import { type DerivedForm, deriveForm } from "./forms.ts";
import { listedEventRules } from "./listed-events.ts";
import { listedMethods } from "./listed-methods.ts";
import { listedReplyRules } from "./listed-replies.ts";
import { type Node, nodeOf } from "./node.ts";
import type { OpenApi } from "./openapi.ts";
import type { DescribedOperation, FormMedia, Reply } from "./operations.ts";
import { parameterSchemas } from "./parameters.ts";
import { candidatesOf, finderOf } from "./paths.ts";
import { refusalBodyOf } from "./refusals.ts";
import { replyHeaderSchemas } from "./reply-headers.ts";
import { replyIsJson } from "./reply-is-json.ts";
import { requestBodyRules } from "./request-bodies.ts";
import { type KeyDemand, keyOf } from "./security.ts";
import { createShapes, type Shape } from "./shape.ts";
import { createTranslator, type Translator } from "./translate.ts";
import { createNaming, kebab, type Path, pathOfPointer } from "./words.ts";

export interface DerivedInterface {
  readonly interface: Interface;
  readonly sources: readonly SchemaSource[];
  /** By operation, what its bodies are made of. */
  readonly bodies: readonly OperationBodies[];
  /** Absent if the document demands no key. */
  readonly keyDemand?: KeyDemand;
  /** Has the document note its examples and defaults that violate their schemas, which takes a while. */
  readonly noteFaultySamples: () => void;
}

interface DeriveOptions {
  readonly name: string;
  /** What findings call the document. */
  readonly document: string;
  readonly operations: readonly DescribedOperation[];
  /** Every path of the document. */
  readonly paths: readonly string[];
  /** Queries by the path that the document writes them behind. */
  readonly queries: ReadonlyMap<string, readonly string[]>;
  /** Methods by path. */
  readonly methods: ReadonlyMap<string, ReadonlySet<string>>;
  /** What people wrote instead, by place in the document. */
  readonly written?: ReadonlyMap<string, WrittenClause>;
}

const wholes: Readonly<Record<SectionName, string>> = {
  request: "the request body",
  response: "the response body",
  stream: "the data of each event",
  error: "the body of an error",
};

export function deriveInterface(doc: OpenApi, options: DeriveOptions): DerivedInterface {
  const { name, document, operations } = options;
  const files = new Map<string, Schema>();
  const { written = new Map<string, WrittenClause>() } = options;
  const read = { request: createShapes(doc, "request"), response: createShapes(doc, "response") };
  const shapes = { request: read.request.of, response: read.response.of };
  const sections = new Map<SectionName, Section>();
  const parts = (Object.keys(wholes) as SectionName[]).map((on): [SectionName, Part] => {
    const section = createSection(`${name}.${on}`, on, written);
    sections.set(on, section);
    return [
      on,
      createPart(
        doc,
        name,
        on,
        section,
        shapes[on === "request" ? "request" : "response"],
        rootsOf(doc, operations, on),
        files,
        operations.length === 1,
      ),
    ];
  });
  const translators = new Map(parts);
  const bodies = operations.map((described): OperationBodies => {
    const { schemas, ...reading } = translators.get("request")!.parameters(described);
    const own = schemasOf(doc, described, translators);
    const forms = (described.body?.forms ?? []).map((form) => translators.get("request")!.form(form, described.id));
    return {
      described,
      operation: {
        name: `${described.method} ${targetOf(described)}`,
        method: described.method,
        at: finderOf(described.path, options.paths, described.base),
        ...takenBy(described, options.queries),
        withMethod: (method) => ofMethods.withMethod(described.path, method),
        ...reading,
        schemas: { ...schemas, ...own },
        ...replyHeaderSchemas(described, {
          doc,
          shape: shapes.response,
          sections: translators,
          file: (on, called, content) => translators.get(on)!.file(called, content),
          steps: operations.length === 1 ? [] : [described.id],
        }),
        ...(forms.length > 0 && { forms: Object.fromEntries(forms.map(({ type, reading }) => [type, reading])) }),
        ...(described.replies.some(({ lines }) => lines !== undefined) && { lines: true }),
        terminator: "[DONE]",
        isStreamError: errorsIn(eventNodesOf(doc, described), shapes.response),
        describesError: errorDescribedIn(successNodesOf(doc, described), shapes.response),
      },
      request: requestNodeOf(doc, described),
      forms,
      replies: described.replies.map((reply) => ({
        reply,
        json: reply.json === undefined ? undefined : nodeOf(doc, [reply.json]),
        stream: nodeOfAny(doc, reply.stream),
        events: eventKindsOf(doc, [reply]),
      })),
      shape: shapes,
    };
  });
  const inJson: Path = { steps: [], members: "", of: "the body of a reply", named: false };
  const json = replyIsJson(bodies, sections.get("response")!, inJson);
  const ofEvents: Path = { steps: ["event"], members: "", of: wholes.stream, named: false };
  const events = eventsAreJson(bodies, sections.get("stream")!, ofEvents);
  const isAlone = operations.length === 1;
  const ofRequests = requestBodyRules(bodies, sections.get("request")!, ({ id }) => ({
    steps: isAlone ? [] : [id, "body"],
    members: "",
    of: isAlone ? wholes.request : `${wholes.request} of ${id}`,
    named: false,
  }));
  const ofReplies = listedReplyRules(bodies, {
    section: sections.get("response")!,
    pathOf: ({ described: { id } }, of) => ({
      steps: [...(isAlone ? [] : [id]), "reply"],
      members: "",
      of: isAlone ? `${of} of a reply` : `${of} of a reply to ${id}`,
      named: false,
    }),
  });
  const ofEventNames = listedEventRules(bodies, sections.get("stream")!, ({ id }) => ({
    steps: isAlone ? [] : [id],
    members: "",
    of: isAlone ? "the event line of each event" : `the event line of each event of ${id}`,
    named: false,
  }));
  const ofMethods = listedMethods(bodies, options.methods, sections.get("request")!);
  const sources: SchemaSource[] = [...files].map(([file, content]) => ({
    path: `${name}/${file}.schema.json`,
    content,
  }));
  for (const [on, section] of sections)
    if (section.entries().length > 0)
      sources.push({ path: `${name}/${on}.clauses.json`, content: { document, clauses: section.entries() } });
  const { key, keyDemand } = keyOf(doc, new Map(bodies.map(({ operation, described }) => [operation.name, described])));
  const cookies = new Set(
    operations.flatMap(({ parameters }) => parameters.flatMap((one) => (one.in === "cookie" ? [one.name] : []))),
  );
  return {
    interface: {
      name,
      document,
      ...(key && { key }),
      ...(cookies.size > 0 && { cookies: [...cookies] }),
      operations: bodies.map(({ operation }) => operation),
      operationsAt: candidatesOf(operations.map(({ path }) => path)),
      streams: (subject) =>
        subject.operation.schemas.event !== undefined &&
        (subject.operation.schemas.response === undefined || requestMembers(subject)["stream"] === true),
      rules: [
        ...(json ? [json] : []),
        ...(events ? [events] : []),
        ...ofRequests,
        ...ofReplies,
        ...ofEventNames,
        ...ofMethods.rules,
      ],
      refusalBody: (refusal) =>
        refusalBodyOf(
          doc,
          bodies.find(({ operation }) => operation.name === refusal.finding.operation),
          refusal,
        ),
    },
    sources,
    bodies,
    ...(keyDemand && { keyDemand }),
    noteFaultySamples: () => noteFaultySamples(doc, [read.request, read.response], bodies),
  };
}

/** Path and query, as the document writes them. */
export const targetOf = ({ base, path, query }: DescribedOperation): string =>
  `${base}${path}${query === "" ? "" : `?${query}`}`;

/** Which queries an operation is for, where others have the same path. @param queries all that a path is written with */
function takenBy(
  { path, query }: DescribedOperation,
  queries: ReadonlyMap<string, readonly string[]>,
): Pick<Operation, "takes"> {
  const holds = (asked: URLSearchParams, one: string): boolean =>
    [...new URLSearchParams(one)].every(([name, value]) => asked.getAll(name).includes(value));
  if (query !== "") return { takes: (asked) => holds(asked, query) };
  const others = queries.get(path) ?? [];
  return others.length === 0 ? {} : { takes: (asked) => !others.some((one) => holds(asked, one)) };
}

const eventNodesOf = (doc: OpenApi, { replies }: DescribedOperation): Node[] =>
  replies.flatMap(({ stream }) => stream.map((pointer) => nodeOf(doc, [pointer])));

/** What successful replies bring, whole or as events. */
const successNodesOf = (doc: OpenApi, { replies }: DescribedOperation): Node[] =>
  replies
    .filter(({ status }) => status.startsWith("2"))
    .flatMap(({ json, stream }) => [...(json === undefined ? [] : [json]), ...stream].map((one) => nodeOf(doc, [one])));

/** Whether a member `error` is described of one of these nodes, or of an alternative of one. Asked once. */
function errorDescribedIn(nodes: readonly Node[], shape: (node: Node) => Shape): () => boolean {
  const describes = (node: Node, depth = 0): boolean => {
    const { properties, unions } = shape(node);
    return (
      properties.has("error") ||
      (depth < 3 && unions.some(({ nodes }) => nodes.some((one) => describes(one, depth + 1))))
    );
  };
  let isDescribed: boolean | undefined;
  return () => (isDescribed ??= nodes.some((node) => describes(node)));
}

/** An event with an `error` that no event is described to have reports that the stream failed. */
function errorsIn(events: readonly Node[], shape: (node: Node) => Shape): (data: unknown) => boolean {
  const isDescribed = errorDescribedIn(events, shape);
  return (data) => isObject(data) && data["error"] !== undefined && data["error"] !== null && !isDescribed();
}

/** The schemas of one side. */
interface Part {
  readonly section: Section;
  /** Writes a schema file. @returns its id */
  readonly file: (name: string, content: Schema) => string;
  /** Writes the schema of a whole body. @param called what its file is named after */
  readonly root: (node: Node, called: string) => string;
  readonly parameters: (described: DescribedOperation) => ReturnType<typeof parameterSchemas>;
  readonly form: (form: FormMedia, called: string) => DerivedForm;
  readonly translator: Translator;
  readonly ofTexts: Translator;
}

/** Pointers of the schemas of whole bodies on one side, by operation. */
function rootsOf(doc: OpenApi, operations: readonly DescribedOperation[], on: SectionName): Map<string, Set<string>> {
  const roots = new Map<string, Set<string>>();
  for (const described of operations) {
    const { id, replies } = described;
    const nodes =
      on === "request"
        ? [requestNodeOf(doc, described), ...(described.body?.forms ?? []).map(({ schema }) => nodeOf(doc, [schema]))]
        : on === "stream"
          ? [eventNodeOf(doc, replies), ...namedEventsOf(doc, replies).map(({ node }) => node)]
          : nodesByStatus(
              doc,
              replies.filter((reply) => isError(reply) === (on === "error")),
            ).map(([, node]) => node);
    for (const node of nodes) {
      if (node === undefined) continue;
      const key = rootKeyOf(node);
      roots.set(key, (roots.get(key) ?? new Set()).add(id));
    }
  }
  return roots;
}

function createPart(
  doc: OpenApi,
  name: string,
  on: SectionName,
  section: Section,
  shape: (node: Node) => Shape,
  roots: ReadonlyMap<string, ReadonlySet<string>>,
  files: Map<string, Schema>,
  isAlone: boolean,
): Part {
  const freeName = createNaming();
  const file = (called: string, content: Schema): string => {
    const free = freeName(called === "" ? on : `${on}-${called}`);
    files.set(free, content);
    return `/${name}/${free}.schema.json`;
  };
  // The only body of its side needs no name; others are named after their schema, or their operation.
  const whole: Path = { steps: [], members: "", of: wholes[on], named: false };
  const pathOf = (key: string, ids: readonly string[]): Path => {
    if (roots.size === 1) return whole;
    const component = /^\/components\/schemas\/([^/ ]+)$/.exec(key)?.[1];
    if (component !== undefined) return { steps: [kebab(component)], members: "", of: component, named: true };
    const [id, ...others] = ids;
    const shared = others.length > 0 && !key.includes(" ") ? pathOfPointer(key) : undefined;
    const more = others.length > 1 ? ` and ${others.length} others` : others.length > 0 ? ` and ${others[0]}` : "";
    return shared ?? { steps: [id!], members: "", of: `${wholes[on]} of ${id}${more}`, named: true };
  };
  const paths = new Map([...roots].map(([key, ids]) => [key, pathOf(key, [...ids])]));
  const options = { doc, shape, section, file, rootPaths: paths };
  const translator = createTranslator(options);
  const ofTexts = createTranslator({ ...options, ofTexts: true, isNeverEmpty: true });
  const written = new Map<string, string>();
  return {
    section,
    file,
    translator,
    ofTexts,
    parameters: (described) =>
      parameterSchemas(described, {
        doc,
        shape,
        section,
        translator,
        ofTexts,
        file,
        steps: isAlone ? [] : [described.id],
      }),
    form(form, called) {
      const path = paths.get(rootKeyOf(nodeOf(doc, [form.schema]))) ?? whole;
      const name = roots.size === 1 ? "form" : `${path.steps[0] ?? called}-form`;
      return deriveForm(form, name, path, { ...options, translator });
    },
    root(node, called) {
      const key = rootKeyOf(node);
      let id = written.get(key);
      if (id === undefined) {
        const path = paths.get(key) ?? whole;
        id = translator.root(roots.size === 1 ? "" : (path.steps[0] ?? called), node, path);
        written.set(key, id);
      }
      return id;
    },
  };
}

/** The kinds of events of good replies, if the document gives any of them a name. */
function namedEventsOf(doc: OpenApi, replies: readonly Reply[]): EventKind[] {
  const kinds = eventKindsOf(
    doc,
    replies.filter(({ status }) => status.startsWith("2")),
  );
  return kinds.some(({ name }) => name !== undefined) ? kinds : [];
}

/** The schema of the data of events: of each by what its `event:` line says, where the document describes that. */
function eventSchemaOf(
  doc: OpenApi,
  replies: readonly Reply[],
  root: (node: Node | undefined) => string | undefined,
): Operation["schemas"]["event"] {
  const kinds = namedEventsOf(doc, replies);
  if (kinds.length === 0) return root(eventNodeOf(doc, replies));
  const ids = new Map(kinds.map(({ name, node }) => [name, root(node)]));
  const isOpen = replies.some(({ events }) => events.some(({ names }) => names === undefined));
  return (_data, name = ids.has("message") ? "message" : undefined) =>
    ids.get(isOpen && !ids.has(name) ? undefined : name);
}

const idFor = (ids: ReadonlyMap<string, string>, status: number): string | undefined =>
  ids.get(String(status)) ?? ids.get(`${Math.floor(status / 100)}XX`) ?? ids.get("DEFAULT");

function schemasOf(
  doc: OpenApi,
  described: DescribedOperation,
  parts: ReadonlyMap<SectionName, Part>,
): Operation["schemas"] {
  const { id, replies } = described;
  const root = (on: SectionName, node: Node | undefined): string | undefined => node && parts.get(on)!.root(node, id);
  /** Bodies are undefined, though described, if one of several operations of the same method and path allows any. */
  const leaveMerged = (on: SectionName, pointer: string): void => {
    const path: Path = { steps: [id], members: "", of: `the body of ${id}`, named: false };
    parts.get(on)!.section.leave(path, "schema", pointer, "operations of one path are merged, and one allows any body");
  };
  const byStatus = (on: SectionName, own: readonly Reply[]): Map<string, string> =>
    new Map(
      nodesByStatus(doc, own).flatMap(([status, node]) => {
        const schema = root(on, node);
        const described = own.find((reply) => reply.status === status && reply.json !== undefined);
        if (schema === undefined && described) leaveMerged(on, described.json!);
        return schema === undefined ? [] : [[status, schema] as const];
      }),
    );
  const request = root("request", requestNodeOf(doc, described));
  if (request === undefined && described.body?.json !== undefined) leaveMerged("request", described.body.json);
  const good = replies.filter((reply) => reply.status.startsWith("2"));
  const wholes = byStatus("response", good);
  // What another status brings is described nowhere, so nothing is said of it.
  const response = wholes.size > 0 ? (_body: unknown, status: number) => idFor(wholes, status) : undefined;
  const event = eventSchemaOf(doc, replies, (node) => root("stream", node));
  const errors = byStatus("error", replies.filter(isError));
  const [first] = errors.values();
  const error =
    new Set(errors.values()).size < 2 && (errors.has("DEFAULT") || errors.size === 0)
      ? first
      : (status: number) => idFor(errors, status);
  return {
    ...(request !== undefined && { request }),
    ...(response !== undefined && { response }),
    ...(event !== undefined && { event }),
    ...(error !== undefined && { error }),
  };
}
