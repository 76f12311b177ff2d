/** Every recorded question can be asked in its other form, and with a word of one's own, without breaking a rule. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { lenient } from "../check/clause.ts";
import { interfaceNamed } from "../check/interface.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { home } from "../home.ts";
import { readRecording, recordingsIn } from "../run/plan/recordings.ts";
import { jsonRequest } from "../wire/build.ts";
import type { WireRequest } from "../wire/exchange.ts";
import { openCatalogue } from "./catalogue.ts";

const folder = join(home, "recordings");
const catalogue = await openCatalogue();
const recordings = await Promise.all(recordingsIn(folder).map((source) => readRecording(folder, source)));
const good = recordings.filter(({ violates, spans }) => violates.length === 0 && !spans);

const formsOf = (name: string) => interfaceNamed(catalogue.interfaces, name)!.forms!;
const word = "word-of-its-own";

test("no form breaks a rule that the recorded question keeps", () => {
  const broken = good.flatMap(({ source, interface: of, bindings, exchanges }) =>
    exchanges.flatMap(({ exchange: { request } }) => {
      const { streamed, whole, withWord } = formsOf(of);
      const faultsOf = (asked: WireRequest): string[] =>
        judge({ request: asked, response: null }, { source, exchange: 0 }, catalogue, {
          names: namesFrom(bindings),
          policy: lenient,
          side: "request",
        })
          .findings.filter(({ level }) => level === "error")
          .map(({ clause }) => clause);
      const forms = [streamed(request), whole(request), withWord(request, word)].filter((form) => form !== undefined);
      return forms.flatMap(faultsOf).map((clause) => `${source}: ${clause}`);
    }),
  );
  expect(broken).toEqual([]);
});

test("every text question has exactly one other form, and that one leads back", () => {
  const texts = good.filter(({ interface: of }) => of !== "images");
  const odd = texts.flatMap(({ source, interface: of, exchanges }) =>
    exchanges.flatMap(({ exchange: { request } }) => {
      const { streamed, whole } = formsOf(of);
      if (request.method === "GET") return [];
      const other = streamed(request) ?? whole(request);
      const both = streamed(request) !== undefined && whole(request) !== undefined;
      const back = other && (whole(other) ?? streamed(other));
      return both || !back || back.target !== request.target ? [source] : [];
    }),
  );
  expect(odd).toEqual([]);
});

test("a word stands behind the last text of the user, whatever comes after that", () => {
  const ask = (of: string, body: unknown): string =>
    Buffer.from(formsOf(of).withWord(jsonRequest("/", [], body), word)?.body ?? []).toString();
  const chat = [
    { role: "user", content: [{ type: "text", text: "a" }, { type: "image_url" }] },
    { role: "tool", content: "b" },
  ];
  expect(ask("chat-completions", { messages: chat })).toContain(`"text":"a ${word}"},{"type":"image_url"}`);
  expect(ask("messages", { messages: [{ role: "user", content: "a" }] })).toContain(`"a ${word}"`);
  expect(
    ask("generate-content", { contents: [{ parts: [{ text: "a" }] }, { role: "model", parts: [{ text: "b" }] }] }),
  ).toContain(`"a ${word}"`);
  expect(ask("images", { prompt: "a" })).toContain(`"a ${word}"`);
  expect(ask("messages", { messages: [{ role: "assistant", content: "a" }] })).toBe("");
});
