/** Holds the readers of facts: they take any exchange, read what good ones ask and say, and judge nothing. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { namesFrom } from "../check/names.ts";
import { routeOfExchange } from "../check/route.ts";
import { readSubject } from "../check/subject.ts";
import { spoiled } from "../dev/hostile.ts";
import { createChance } from "../dev/legal/chance.ts";
import { runsOf, seedOf } from "../dev/random.test-kit.ts";
import { home } from "../home.ts";
import type { Exchange } from "../wire/exchange.ts";
import type { AnswerFacts, RequestFacts } from "./common/facts/model.ts";
import { examples } from "./examples.ts";
import { factData, hasWord } from "./fact-data.ts";
import { factReaders } from "./fact-readers.ts";
import { interfaces } from "./index.ts";

const names = namesFrom();

function read(exchange: Exchange): { request: RequestFacts | undefined; answer: AnswerFacts | undefined } | undefined {
  const route = routeOfExchange(interfaces, exchange);
  if (!route) return undefined;
  const subject = readSubject(exchange, route, names);
  const reader = factReaders[route.interface.name]!;
  return { request: reader.request(subject), answer: reader.answer(subject) };
}

const interfaceNames = Object.keys(factReaders);
const good = (name: string) => examples[name]!.filter(({ probe }) => !probe).map(({ exchange }) => exchange);

test("every interface has a reader", () => {
  expect(interfaceNames.sort()).toEqual(interfaces.map(({ name }) => name).sort());
});

test.each(interfaceNames)("readers take any exchange of %s", (name) => {
  const seed = seedOf(23);
  const small = examples[name]!.filter(({ exchange }) => exchange.request.body.length < 20_000);
  for (let at = seed; at < seed + runsOf(800); at++) {
    const chance = createChance(at);
    read(spoiled(chance.pick(small).exchange, chance));
  }
});

test.each(interfaceNames)("a stream of %s that breaks off anywhere has not ended", (name) => {
  const stream = good(name).find(({ response }) => response?.headers.some(([, value]) => /event-stream/.test(value)));
  if (!stream?.response) return;
  const { body } = stream.response;
  const ended = Array.from({ length: body.length }, (_, length) => {
    const cut = {
      ...stream,
      aborted: "upstream" as const,
      response: { ...stream.response!, body: body.subarray(0, length) },
    };
    return read(cut)?.answer?.ended ?? false;
  });
  expect(ended).not.toContain(true);
  expect(read(stream)?.answer?.ended).toBe(true);
});

/** Facts of the data that are a value each, and those of a request's shape. */
function askedIn({ settings, ...rest }: RequestFacts): string[] {
  const parts = rest.turns.flatMap((turn) => turn.parts);
  const has = (kind: string): boolean => parts.some((part) => part.kind === kind);
  return [
    ...Object.keys(settings),
    ...["image", "audio", "video", "document"].filter(has),
    ...(has("call") ? ["tool-call"] : []),
    ...(has("result") ? ["tool-result"] : []),
    ...(rest.turns.length > 0 ? ["turns"] : []),
    ...(rest.system.length > 0 ? ["system"] : []),
    ...(rest.stream ? ["stream"] : []),
    ...(rest.tools ? ["tools"] : []),
    ...(rest.choice ? ["tools.choice"] : []),
    ...(rest.parallel === undefined ? [] : ["tools.parallel"]),
    ...(rest.thinking ? ["thinking"] : []),
    ...(rest.output ? ["structured-output"] : []),
    ...Object.keys(rest.files ?? {}),
  ];
}

/** Only recordings ask for it, in several values. */
const unasked = ["media-resolution"];

test.each(interfaceNames)("the good exchanges of %s ask every fact that it has a word for", (name) => {
  const asked = new Set(
    good(name).flatMap((exchange) =>
      askedIn(read(exchange)!.request ?? { settings: {}, stream: false, system: [], turns: [] }),
    ),
  );
  const words = Object.entries(factData().request).filter(([, entry]) => hasWord(entry, name));
  expect(words.map(([fact]) => fact).filter((fact) => !asked.has(fact) && !unasked.includes(fact))).toEqual([]);
});

test("nothing that judges conformance reads facts", () => {
  const readers = /facts\/(?!facts\.ts)|fact-readers|fact-data|fact-writers/;
  const judging = ["check", "verdict", "run", "record", "prove", "drift", "interfaces"];
  const strays = judging.flatMap((room) =>
    readdirSync(join(home, "src", room), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
      .filter((file) => room !== "interfaces" || !/facts[\\/]|^fact-/.test(file))
      .filter((file) =>
        [...readFileSync(join(home, "src", room, file), "utf8").matchAll(/from "([^"]+)"/g)].some(([, path]) =>
          readers.test(path!),
        ),
      )
      .map((file) => `${room}/${file}`),
  );
  expect(strays).toEqual([]);
});
