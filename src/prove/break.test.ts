/** The reference implementation breaks one clause at a time on a socket, and judging finds exactly that clause. */
import { request as send } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lenient, type Policy } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { createChance } from "../dev/legal/chance.ts";
import { interfaceNames, legalExchange } from "../dev/legal/legal.ts";
import { runsOf, seedOf } from "../dev/random.test-kit.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { examples } from "../interfaces/examples.ts";
import { createReference, sdkHeaders } from "../reference/reference.ts";
import type { Exchange, WireRequest } from "../wire/exchange.ts";
import { type Listening, listen, pairsOf } from "../wire/listen.ts";
import { type Breach, createBreaker } from "./break.ts";

const catalogue = await openCatalogue();
const names = namesFrom(sdkHeaders);
const seed = seedOf(20_261_120);
/** Clauses tried of each interface. */
const tried = Math.max(2, runsOf(6));

const reference = createReference(catalogue, () => server.url, names);
let server: Listening;
let breaker: ReturnType<typeof createBreaker>;
beforeAll(async () => {
  server = await listen((request) => breaker(request, reference(request)));
});
afterAll(() => server.close());

/** Sends a request as it stands and keeps what comes back. */
function sent(request: WireRequest): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const { method, target: path, headers, body } = request;
    const { hostname, port } = new URL(server.url);
    const flat = [...headers, ["Host", hostname] as const, ["Content-Length", String(body.length)] as const].flat();
    const outgoing = send({ hostname, port, method, path, headers: flat as never }, (incoming) => {
      const pieces: Uint8Array[] = [];
      const came = (): Exchange => {
        const headers = pairsOf(incoming.rawHeaders);
        return { request, response: { status: incoming.statusCode ?? 0, headers, body: Buffer.concat(pieces) } };
      };
      incoming.on("data", (piece: Uint8Array) => pieces.push(piece));
      // One clause says that the body ends.
      incoming.on("error", () => resolve({ ...came(), aborted: "upstream" }));
      incoming.on("end", () => resolve(came()));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

const judged = (exchange: Exchange, policy: Policy = lenient, probe = false) =>
  judge(exchange, { source: "", exchange: 0 }, catalogue, { names, policy, probe, side: "response" });

/** Requests of an interface, with what the reference's good answers to them exercise. */
function pool(of: string): { request: WireRequest; exercised: Uint8Array }[] {
  const made = Array.from({ length: runsOf(40) }, (_, i) => legalExchange(of, [], seed + i).exchange.request);
  const requests = [...(examples[of] ?? []).map(({ exchange }) => exchange.request), ...made];
  return requests
    .filter(({ body }) => body.length < 20_000)
    .map((request) => {
      const { status, headers, pieces } = reference(request);
      const body = Buffer.concat(pieces.map(({ bytes }) => bytes));
      return { request, exercised: judged({ request, response: { status, headers, body } }).exercised };
    });
}

describe(`seed ${seed}`, () => {
  test.each(interfaceNames)(`${tried} broken clauses of %s are found, each alone`, async (of) => {
    breaker = createBreaker(catalogue, [], names);
    const requests = pool(of);
    const chosen = createChance(seed)
      .shuffled(catalogue.clauses)
      .filter(
        ({ interface: one, on, id }) =>
          one === of && on !== "request" && requests.some(({ exercised }) => exercised[catalogue.indexOf(id)]),
      )
      .slice(0, tried);
    const problems: string[] = [];
    let seen = 0;
    for (const { id, alsoBreaks = [] } of chosen) {
      let breach: Breach | undefined;
      breaker = createBreaker(catalogue, [id], names, (made) => (breach = made));
      for (const { request } of requests.filter(({ exercised }) => exercised[catalogue.indexOf(id)])) {
        const exchange = await sent(request);
        if (!breach) continue;
        seen++;
        const { findings } = judged(exchange, { strict: new Set(breach.strict), openEnums: false });
        const accused = new Set(
          findings.filter(({ level, clause }) => level !== "note" || clause === id).map(({ clause }) => clause),
        );
        const also = catalogue.interfaces.flatMap(
          ({ rules }) => rules.find(({ clause }) => clause === id)?.alsoBreaks ?? [],
        );
        const unrelated = [...accused].filter((clause) => clause !== id && ![...alsoBreaks, ...also].includes(clause));
        if (!accused.has(id)) problems.push(`${id} goes unnoticed (strict ${breach.strict.join()})`);
        if (unrelated.length > 0) problems.push(`${id} makes judging accuse ${unrelated.join(", ")} as well`);
        break;
      }
    }
    expect(problems).toEqual([]);
    // Few clauses can be broken only in replies that have to be asked for in words.
    expect(seen).toBeGreaterThanOrEqual(Math.floor(chosen.length * 0.9));
  });

  test("a good reply passes untouched where the clause to break says nothing about it", async () => {
    breaker = createBreaker(catalogue, ["messages.streaming.message-stop-last"], names);
    for (const { exchange } of examples["chat-completions"]!.slice(0, 20)) {
      const { findings } = judged(await sent(exchange.request));
      expect(findings.filter(({ level }) => level === "error")).toEqual([]);
    }
  });

  test("a clause that only a strict reading sees is broken, and said to be so", () => {
    const breaches: Breach[] = [];
    const breaks = createBreaker(catalogue, ["messages.response.status-200"], names, (breach) => breaches.push(breach));
    const { request } = examples["messages"]![0]!.exchange;
    expect(breaks(request, reference(request)).status).toBe(202);
    expect(breaches).toEqual([{ clause: "messages.response.status-200", strict: ["X-STATUS"] }]);
  });
});
