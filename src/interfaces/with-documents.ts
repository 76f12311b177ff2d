/** Joins what ships with touchstone with users' own documents, and compiles the schemas of both as they are asked for. */
import { createHash } from "node:crypto";
import type { Catalogue, ClauseData, Interfaces } from "../check/catalogue.ts";
import { type Clause, isDecidable, lenient } from "../check/clause.ts";
import { clausesOf, compile } from "../check/compile.ts";
import type { Conversation, Example } from "../check/example.ts";
import type { Interface } from "../check/interface.ts";
import { judge } from "../check/judge.ts";
import { judgeLaws } from "../check/judge-laws.ts";
import { namesFrom } from "../check/names.ts";
import { routeOfExchange } from "../check/route.ts";
import type { Validator } from "../check/schema.ts";
import { readSchemas, type SchemaSource } from "../check/schema-files.ts";
import { didYouMean } from "../check/suggest.ts";
import type { OwnDocuments } from "../documents/documents.ts";
import { openDocuments } from "../documents/documents.ts";
import { lawfulExamples, varied } from "../documents/lawful-examples.ts";
import { type CodeUse, isNamedIn } from "../documents/own.ts";
import { UserError } from "../user-error.ts";
import type { Exchange } from "../wire/exchange.ts";
import { shippedClauses } from "./clause-data.ts";
import { digestsOf } from "./document-digests.ts";
import { keyFileOf, withKeyDemanded } from "./own-key.ts";
import { recordedExamples } from "./recorded-examples.ts";

interface Joined {
  readonly own: OwnDocuments;
  /** Users' own, with what their folders demand beside their documents. */
  readonly interfaces: readonly Interface[];
  readonly names: ReadonlySet<string>;
  /** The schemas of all interfaces; a user's own takes the place of a shipped one of its name. */
  readonly sources: readonly SchemaSource[];
}

async function join(documents: readonly string[], use: CodeUse): Promise<Joined> {
  const own = await openDocuments(documents, use);
  const names = new Set(own.interfaces.map(({ name }) => name));
  const kept = readSchemas().filter(({ path }) => !names.has(path.split("/")[0]!));
  const written = new Set(own.sources.map(({ path }) => path));
  const demands = own.interfaces.map((described) => {
    const demand = own.keyDemands[described.name];
    return described.key && demand && !written.has(keyFileOf(described.name))
      ? withKeyDemanded(described, described.key, demand)
      : { described, source: undefined };
  });
  return {
    own,
    interfaces: demands.map(({ described }) => described),
    names,
    sources: [...kept, ...own.sources, ...demands.flatMap(({ source }) => source ?? [])],
  };
}

/**
 * A fault in users' own files is their business: the first mistake, in one line.
 * @param schema the id of the schema that is read, if it is one
 */
function ofUsers<T>(make: () => T, schema = ""): T {
  try {
    return make();
  } catch (error) {
    const [what, first] = (error as Error).message.split("\n").map((line) => line.trim());
    const problem = first ?? what!;
    const at = schema === "" || problem.includes(schema) ? "" : `${schema}: `;
    throw new UserError(
      `the documents cannot be used: ${at}${problem}`,
      "Mend the clause or schema file of --documents.",
    );
  }
}

/** Digests of both. A document that describes interfaces of both has one of the two together. */
function joinDigests(
  shipped: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const both = Object.keys(own).filter((name) => shipped[name] !== undefined);
  const joined = both.map((name) => [name, createHash("sha256").update(`${shipped[name]} ${own[name]}`).digest("hex")]);
  return { ...shipped, ...own, ...Object.fromEntries(joined) };
}

/** Marks the clauses that code which was not run may decide: those that nothing else decides, and those that it names. */
function withoutCode(clauses: readonly Clause[], { own: { unusedCode }, interfaces }: Joined): readonly Clause[] {
  if (unusedCode.size === 0) return clauses;
  const ruled = new Set(interfaces.flatMap(({ rules, laws = [] }) => [...rules, ...laws]).map(({ clause }) => clause));
  const missingCode = "its rules.mjs, which was not run (--allow-code runs it)";
  return clauses.map((clause) => {
    const code = unusedCode.get(clause.interface);
    if (!code || !isDecidable(clause)) return clause;
    const isOpen = clause.kind === "behaviour" && !ruled.has(clause.id);
    return isOpen || isNamedIn(code, clause.id) ? { ...clause, missingCode } : clause;
  });
}

function dataOf(joined: Joined): ClauseData {
  const { own, names, sources } = joined;
  const clauses = withoutCode(
    ofUsers(() => clausesOf(sources)),
    joined,
  );
  const shipped = clauses.filter((clause) => !names.has(clause.interface));
  return {
    clauses,
    readings: { ...shippedClauses.readings, ...own.readings },
    own: names,
    contradictions: () => own.contradictions,
    digests: () => joinDigests(digestsOf(shipped), own.digests),
    ...(own.unusedCode.size > 0 && { unusedCode: [...own.unusedCode.values()].map(({ file }) => file) }),
  };
}

/** A rule of a user's own on what is no clause, or on one that nothing decides. */
function refuseRule(clause: string, of: string, { clauses }: ClauseData): never {
  const known = clauses.find(({ id }) => id === clause);
  const ids = clauses.filter((one) => one.interface === of).map(({ id }) => id);
  throw new UserError(
    `a rule of ${of} is on ${clause}, which is ${known ? "a clause that nothing decides" : "no clause"}`,
    known
      ? "Take the rule away, or unobservable and opaque out of the clause."
      : `${didYouMean(clause, ids)}Write the clause into a *.clauses.json.`,
  );
}

async function interfacesOf(joined: Joined): Promise<Interfaces> {
  const { interfaces } = await import("./index.ts");
  const { interfaces: own, names } = joined;
  const data = dataOf(joined);
  const decidable = new Set(data.clauses.filter(isDecidable).map(({ id }) => id));
  for (const { name, code, rules, laws = [] } of own)
    for (const { clause } of code ? [...rules, ...laws] : [])
      if (!decidable.has(clause)) refuseRule(clause, name, data);
  return { ...data, interfaces: [...own, ...interfaces.filter(({ name }) => !names.has(name))] };
}

/** The examples of users' own interfaces; those of interfaces with laws follow them. */
function lawful(
  { examples, laws }: OwnDocuments,
  catalogue: Catalogue,
  recorded: OwnDocuments["examples"],
): OwnDocuments["examples"] {
  const names = namesFrom();
  const shownBy = (exchange: Exchange): ReadonlySet<string> | undefined => {
    const at = { source: "", exchange: 0 };
    const { findings, exercised } = judge(exchange, at, catalogue, { names, policy: lenient });
    if (findings.some(({ level }) => level !== "note")) return undefined;
    return new Set(catalogue.clauses.filter(({ law }, i) => law && exercised[i] === 1).map(({ id }) => id));
  };
  return Object.fromEntries(
    Object.entries(examples).map(([name, own]) => [
      name,
      laws[name] ? lawfulExamples(own, laws[name], recorded[name] ?? [], shownBy) : own,
    ]),
  );
}

/** Maximum number of examples from which a session is made for one law. */
const maxTried = 30;

/** Sessions for laws on sessions: an example, and the same one with other values. */
function madeSessions(
  { name, laws = [] }: Interface,
  examples: readonly Example[],
  catalogue: Catalogue,
): Conversation[] {
  const options = { names: namesFrom(), policy: lenient };
  const isBroken = (exchanges: readonly Exchange[], clause: string): boolean => {
    const placed = exchanges.map((exchange, position) => ({ exchange, position }));
    return judgeLaws(placed, "", catalogue, options).findings.some((finding) => finding.clause === clause);
  };
  const isGood = (exchange: Exchange): boolean =>
    judge(exchange, { source: "", exchange: 0 }, catalogue, options).findings.every(({ level }) => level === "note");
  return laws.flatMap(({ clause, session, spoil }) => {
    if (!session) return [];
    const own = examples
      .filter(
        ({ probe, exchange }) => !probe && routeOfExchange(catalogue.interfaces, exchange)?.interface.name === name,
      )
      // Made values are often those of the request. Laws on sessions do not compare such values.
      .map(({ exchange }, i) => ({ exchange, renewed: session.renew(exchange, i + 1) }))
      .filter(({ exchange, renewed }) => renewed !== exchange)
      .slice(0, maxTried);
    for (const { exchange, renewed: first } of own) {
      const second = session.renew(varied(exchange, isGood), own.length + 1);
      const spoiled = spoil([first, second]);
      if (spoiled && isBroken(spoiled, clause))
        return [{ name: `two exchanges for ${clause}`, exchanges: [first, second] }];
    }
    return [];
  });
}

/** Clauses and readings. */
export const clausesWith = async (documents: readonly string[]): Promise<ClauseData> =>
  dataOf(await join(documents, "listed"));

/** The same with operations and rules. */
export const interfacesWith = async (documents: readonly string[]): Promise<Interfaces> =>
  interfacesOf(await join(documents, "run"));

/** All of it. Validators are compiled when first asked for: few of them are needed. */
export async function catalogueWith(documents: readonly string[], runsCode: boolean): Promise<Catalogue> {
  const joined = await join(documents, runsCode ? "run" : "unused");
  const { own, names, sources } = joined;
  const described = await interfacesOf(joined);
  const { ajv } = ofUsers(() => compile(sources, { source: false }));
  const indices = new Map(described.clauses.map(({ id }, index) => [id, index]));
  const validators = new Map<string, Validator>();
  const catalogue: Catalogue = {
    ...described,
    indexOf(clause) {
      const index = indices.get(clause);
      if (index === undefined) throw new Error(`${clause} is no clause of these documents`);
      return index;
    },
    validator(schema) {
      const known = validators.get(schema);
      if (known) return known;
      const validator = ofUsers(() => ajv.getSchema(schema), schema) as unknown as Validator | undefined;
      if (!validator) throw new Error(`${schema} is no schema of these documents`);
      validators.set(schema, validator);
      return validator;
    },
    sources: () => sources,
    async examples() {
      const { shippedExamples } = await import("./examples.ts");
      const { exchanges, conversations } = shippedExamples;
      const kept = <T>(of: Readonly<Record<string, T>>) =>
        Object.fromEntries(Object.entries(of).filter(([name]) => !names.has(name)));
      const {
        recorded,
        conversations: sessions,
        ...told
      } = recordedExamples(catalogue, await own.recordings(), own.writtenExamples);
      const both = <T>(made: Readonly<Record<string, readonly T[]>>, seen: Readonly<Record<string, readonly T[]>>) =>
        Object.fromEntries(
          [...names].flatMap((name) => {
            const all = [...(made[name] ?? []), ...(seen[name] ?? [])];
            return all.length > 0 ? [[name, all] as const] : [];
          }),
        );
      const ownExchanges: Readonly<Record<string, readonly Example[]>> = both(
        lawful(own, catalogue, recorded),
        recorded,
      );
      const made = Object.fromEntries(
        own.interfaces.map((one) => [
          one.name,
          [...(own.conversations[one.name] ?? []), ...madeSessions(one, ownExchanges[one.name] ?? [], catalogue)],
        ]),
      );
      return {
        exchanges: { ...kept(exchanges), ...ownExchanges },
        conversations: { ...kept(conversations), ...both(made, sessions) },
        unexampled: own.unexampled,
        ...told,
      };
    },
    recordings: own.recordings,
  };
  return catalogue;
}
