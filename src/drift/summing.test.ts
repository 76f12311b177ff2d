/** Holds that structure is summed over exchanges that ask the same, and that each change is told with its counts, clause and mover. */
import { expect, test } from "vitest";
import { editJson } from "../wire/edit.ts";
import type { Entry } from "./compare-recordings.ts";
import { drift, drop, edited, entriesOf, set } from "./drift.test-kit.ts";

const reply = await entriesOf("chat-completions/response/text");
const tool = await entriesOf("chat-completions/tools/two-calls");
/** The reply `n` times, each an exchange of its own, with `edit` in the first few. */
const times = (n: number, few: number, ...edits: Parameters<typeof edited>[2][]): Entry[] =>
  Array.from({ length: n }, (_, position) => {
    const own = { ...reply[0]!, position };
    return position < few ? edited([own], "response", ...edits)[0]! : own;
  });

test("a rare member that is gone is told with its counts and how sure that is", async () => {
  const { changes } = await drift(
    times(
      40,
      3,
      set("/usage/cost", () => 1),
    ),
    times(38, 0),
  );
  expect(changes).toHaveLength(1);
  expect(changes[0]).toMatchObject({
    kind: "removed",
    pointer: "/usage/cost",
    seen: { before: { in: 3, of: 40, example: { exchange: 0 } }, after: { in: 0, of: 38, example: null } },
    chance: 0.241,
  });
  const options = { chance: 0.05 };
  expect(
    (
      await drift(
        times(
          40,
          3,
          set("/usage/cost", () => 1),
        ),
        times(38, 0),
        options,
      )
    ).changes,
  ).toEqual([]);
});

test("for the side that lacks a member, the first exchange is named whose object lacks it", async () => {
  const withoutHolder = drop("/usage");
  const [shows] = times(
    1,
    1,
    set("/usage/cost", () => 1),
  );
  const { changes } = await drift(
    [...times(1, 1, withoutHolder), { ...shows!, position: 1 }],
    times(4, 2, withoutHolder),
  );
  const one = changes.find(({ pointer }) => pointer === "/usage/cost");
  expect(one?.seen.before).toMatchObject({ example: { exchange: 1 }, lacking: null });
  expect(one?.seen.after).toMatchObject({ example: null, lacking: { exchange: 2 } });
});

test("a member that is no longer in every object is told, and one that is there as often as before is not", async () => {
  const gone = drop("/system_fingerprint");
  const { changes } = await drift(times(8, 0), times(7, 2, gone));
  expect(changes).toMatchObject([
    {
      kind: "removed",
      before: "string, always",
      after: "string, sometimes",
      seen: { before: { in: 8, of: 8 }, after: { in: 5, of: 7 } },
    },
  ]);
  expect((await drift(times(8, 1, gone), times(7, 4, gone))).changes).toEqual([]);
});

test("answers to what only one side was asked are not compared, and are counted", async () => {
  const { changes, summary } = await drift(reply, [...reply, ...tool]);
  expect(changes.filter(({ side }) => side === "response")).toEqual([]);
  expect(summary).toMatchObject({
    exchanges: { before: 1, after: 2 },
    compared: { before: 1, after: 1 },
    alike: 1,
    unmatched: { before: 0, after: 1 },
  });
});

test("requests in other words are compared all the same, whatever the order of members and the path before the operation", async () => {
  const asked = reply.map((entry) => {
    const { request } = editJson(entry.exchange, "request", (body: object) =>
      Object.fromEntries(Object.entries(body).reverse()),
    );
    return { ...entry, exchange: { ...entry.exchange, request: { ...request, target: `/gateway${request.target}` } } };
  });
  expect((await drift(reply, asked)).summary).toMatchObject({ alike: 1, changes: 0 });
  const reworded = edited(
    asked,
    "request",
    set("/messages/0/content", () => "Something else."),
  );
  const { changes, summary } = await drift(reply, edited(reworded, "response", drop("/usage")));
  expect(changes.map(({ pointer }) => pointer)).toEqual(["/usage"]);
  expect(summary).toMatchObject({ alike: 0, compared: { before: 1, after: 1 } });
});

test("among exchanges alike in structure, those alike to the letter decide whose status changed", async () => {
  const other = edited(
    reply,
    "request",
    set("/messages/0/content", () => "B"),
  );
  const failed = (entries: readonly Entry[]) =>
    entries.map(({ exchange, ...entry }) => ({
      ...entry,
      exchange: { ...exchange, response: { ...exchange.response!, status: 500 } },
    }));
  // A failed before and B does now: no set of statuses changed, both exchanges did.
  const { changes } = await drift([...failed(reply), ...other], [...reply, ...failed(other)]);
  const turns = changes.filter(({ kind }) => kind === "status").map(({ before, after }) => `${before} ${after}`);
  expect(turns.sort()).toEqual(["200 500", "500 200"]);
});

test("two changes of places of one clause are two changes, the forbidden first, whatever the order of exchanges", async () => {
  const after = edited(
    reply,
    "response",
    drop("/choices/0/finish_reason"),
    drop("/system_fingerprint"),
    set("/more", () => 1),
  );
  const { changes } = await drift([...reply, ...tool], [...after, ...tool]);
  expect(changes.map(({ pointer, allowed, clause }) => ({ pointer, allowed, clause }))).toEqual([
    {
      pointer: "/choices/*/finish_reason",
      allowed: false,
      clause: "chat-completions.response.finish-reason-required",
    },
    { pointer: "/system_fingerprint", allowed: true, clause: "chat-completions.response.system-fingerprint-type" },
    { pointer: "/more", allowed: null, clause: "chat-completions.response.unknown-members" },
  ]);
  const withoutExamples = (change: object) => ({ ...change, seen: expect.anything() });
  expect((await drift([...tool, ...reply], [...tool, ...after])).changes).toEqual(changes.map(withoutExamples));
});

test("a change of a target says whose move it is: the target's, the vendor's, the document's, nobody's", async () => {
  const broken = (at: string) => edited(reply, "response", drop(at));
  const moverOf = async (before: readonly Entry[], after: readonly Entry[]) =>
    (await drift(before, after, { against: true })).changes.map(({ move }) => move);
  expect(await moverOf(reply, broken("/id"))).toEqual(["target"]);
  expect(await moverOf(broken("/id"), reply)).toEqual(["vendor"]);
  expect(
    await moverOf(
      reply,
      edited(
        reply,
        "response",
        set("/more", () => 1),
      ),
    ),
  ).toEqual(["document"]);
  expect(await moverOf(reply, broken("/system_fingerprint"))).toEqual(["nobody"]);
});

test("a member that comes is forbidden where its value is, at the place or within; what only other answers break is not", async () => {
  const without = edited(reply, "response", drop("/usage"), drop("/service_tier"), drop("/system_fingerprint"));
  const added = async (usage: unknown, tier: unknown, ...more: readonly Entry[]) =>
    (
      await drift(without, [
        ...edited(
          without,
          "response",
          set("/usage", () => usage),
          set("/service_tier", () => tier),
        ),
        ...more,
      ])
    ).changes.map(({ kind, pointer, allowed, clause }) => [kind, pointer, allowed, clause]);
  const { usage } = JSON.parse(Buffer.from(reply[0]!.exchange.response!.body).toString());
  const own = "chat-completions.response";
  expect(await added("none", { a: 1 })).toEqual([
    ["added", "/service_tier", false, `${own}.service-tier-type`],
    ["added", "/usage", false, `${own}.usage-type`],
  ]);
  expect(await added({ ...usage, prompt_tokens: "many" }, "default")).toEqual([
    ["added", "/usage", false, expect.stringMatching(/prompt-tokens/)],
    ["added", "/service_tier", true, `${own}.service-tier-type`],
  ]);
  const others = edited(
    tool,
    "response",
    set("/service_tier", () => ({ a: 1 })),
  );
  expect((await added(usage, "default", ...others)).filter(([, pointer]) => pointer === "/service_tier")).toEqual([
    ["added", "/service_tier", true, `${own}.service-tier-type`],
  ]);
});

test("an operation that only one side asked for is told once, where the two have another in common", async () => {
  const message = await entriesOf("messages/response/text");
  const both = [...reply, ...message];
  const told = async (before: readonly Entry[], after: readonly Entry[]) =>
    (await drift(before, after)).changes.map(({ kind, interface: of, where, seen: { before: was, after: is } }) =>
      [kind, of, ...where, was.in, is.in].join(" "),
    );
  expect(await told(both, reply)).toEqual(["removed messages the operation 1 0"]);
  expect(await told(reply, both)).toEqual(["added messages the operation 0 1"]);
  expect(await told(reply, message)).toEqual([]);
});

test("a type that changes in few exchanges hides nothing that is gone from all", async () => {
  const nullChoice = set("/choices/0", () => null);
  const after = edited(times(20, 1, nullChoice), "response", (root) => {
    const [choice] = (root as { choices: ({ finish_reason?: string } | null)[] }).choices;
    delete choice?.finish_reason;
  });
  const { changes } = await drift(times(20, 0), after);
  expect(changes.map(({ kind, pointer }) => `${kind} ${pointer}`)).toEqual([
    "removed /choices/*/finish_reason",
    "nullability /choices/*",
  ]);
});
