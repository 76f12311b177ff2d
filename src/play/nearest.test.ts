/** Holds what is nearest to a request that no recording answers. */
import { describe, expect, test } from "vitest";
import { redact } from "../redact/redact.ts";
import { chat, get, libraryOf } from "./library.test-kit.ts";

describe("the nearest recording", () => {
  const conversation = (turns: number, last: string): unknown => ({
    model: "m",
    messages: [...Array.from({ length: turns }, (_, i) => ({ role: "user", content: `turn ${i}` })), { content: last }],
  });

  test("is the one that differs least, with all differences", () => {
    const library = libraryOf([
      chat(conversation(1, "x")),
      chat(conversation(9, "old")),
      chat(conversation(9, "old"), "/v1/other"),
      get("/v1/x"),
    ]);
    expect(library.nearest(chat(conversation(9, "new")))).toMatchObject({
      recording: { position: 1 },
      differences: [{ pointer: "/body/messages/9/content", before: "old", after: "new" }],
      more: 0,
    });
  });

  test("is found among many of one address, wherever it differs", () => {
    const words = (seed: number): string =>
      Array.from({ length: 9 }, (_, i) => (seed * 7919 + i * 104729).toString(36)).join(" ");
    const talk = (of: number): { role: string; content: string }[] =>
      Array.from({ length: 6 }, (_, i) => ({ role: i % 2 ? "assistant" : "user", content: words(of * 10 + i) }));
    const library = libraryOf(Array.from({ length: 200 }, (_, of) => chat({ model: "m", messages: talk(of) })));
    for (const place of [0, 3, 5]) {
      const messages = talk(77).with(place, { role: "user", content: "something else" });
      const { recording, differences } = library.nearest(chat({ model: "m", messages }))!;
      expect(recording.position).toBe(77);
      expect(differences.map(({ pointer }) => pointer)).toContain(`/body/messages/${place}/content`);
    }
    const shorter = library.nearest(chat({ model: "m", messages: talk(77).slice(1) }))!;
    expect(shorter).toMatchObject({
      recording: { position: 77 },
      differences: [{ pointer: "/body/messages/0" }],
      more: 0,
    });
  });

  test("passes over what was redacted", () => {
    const library = libraryOf([
      redact({ request: chat({ a: 1, s: "sk-abcdefghijklmnop123" }, "/v1/x?key=[redacted]"), response: null }).request,
    ]);
    const { differences } = library.nearest(chat({ a: 2, s: "mine" }, "/v1/x?key=k"))!;
    expect(differences.map(({ pointer }) => pointer)).toEqual(["/body/a"]);
  });

  test("is none where nothing is recorded, and bounded where everything differs", () => {
    expect(libraryOf([]).nearest(get("/"))).toBeUndefined();
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i]));
    const found = libraryOf([chat(many)]).nearest(chat({}))!;
    expect(found.differences.length).toBe(20);
    expect(found.more).toBe(980);
  });
});
