/** Holds which probes a run sends, and what the answers of servers that enforce nothing, or too much, come to. */

import { describe, expect, onTestFinished, test } from "vitest";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { judgingOf } from "../../interfaces/judging.ts";
import { serveReference } from "../../reference/serve.ts";
import type { Outcome } from "../../verdict/results.ts";
import type { Plan } from "../../verdict/run-results.ts";
import { createTally } from "../../verdict/tally.ts";
import { type Handler, listen } from "../../wire/listen.ts";
import { createSender } from "../../wire/send.ts";
import { judgeProbes, type ProbeGroup } from "../judge/judge-probes.ts";
import { bareTarget } from "../plan/target.test-kit.ts";
import type { Target } from "../plan/target.ts";
import { plannedProbes, probedModels, selectProbes, sendProbes, shippedProbes } from "./probes.ts";
import { createSlots } from "./slots.ts";

const catalogue = await openCatalogue();
const all = shippedProbes();
const unfiltered: Pick<Plan, "interfaces" | "sections" | "clauses" | "lacks"> = {
  interfaces: [],
  sections: [],
  clauses: [],
  lacks: [],
};
const requests = (groups: readonly ProbeGroup[]): number =>
  groups.reduce((sum, { probes }) => sum + 1 + probes.length, 0);

async function ask(
  url: string,
  groups: readonly ProbeGroup[],
  models: Readonly<Record<string, string>> = {},
  own: Partial<Pick<Target, "keys" | "headers" | "overrides" | "shownAs">> = {},
  readings: readonly string[] = [],
  enforcement?: "off" | "warning" | "error",
) {
  const target: Target = { ...bareTarget(url), models, ...own };
  const sender = createSender();
  onTestFinished(() => sender.close());
  const outcomes: Outcome[] = [];
  const asking = {
    target,
    policy: judgingOf(undefined, [], { reading: readings, enforcement }, catalogue).policy,
    knownModels: new Set<string>(),
    again: 1,
  };
  const known = { ...asking, knownModels: probedModels(all, catalogue.interfaces) };
  let gone: { source: string; problem: string } | undefined;
  await sendProbes(groups, known, catalogue, sender, createSlots(4), (group, answers) => {
    if (answers.unreachable !== undefined) gone ??= { source: group.source, problem: answers.unreachable };
    outcomes.push(judgeProbes(group, answers, asking, catalogue));
  });
  const tally = createTally(catalogue.clauses);
  for (const { evidence } of outcomes) for (const one of evidence) tally.add(one);
  const { clauses, findings } = tally.document(true);
  const verdicts = new Map(clauses.map(({ id, verdict }) => [id, verdict]));
  const sent = outcomes.reduce((sum, { sent: asked }) => sum + asked.length, 0);
  const incidents = outcomes.flatMap((outcome) => outcome.incidents);
  const needs = clauses.flatMap((clause) => clause.needs ?? []);
  return { gone, findings, incidents, sent, needs, verdict: (id: string) => verdicts.get(id) };
}

async function serving(handler: Handler): Promise<string> {
  const server = await listen(handler);
  onTestFinished(() => server.close());
  return server.url;
}

const ofTemperature = selectProbes(
  all,
  { ...unfiltered, clauses: ["chat-completions.request.temperature-range"] },
  "cheap",
  null,
  catalogue.interfaces,
);
const json = (status: number, body: object) => ({
  status,
  headers: [["content-type", "application/json"]] as const,
  pieces: [{ bytes: Buffer.from(JSON.stringify(body)) }],
});

test("shards share the probes among them, none sent twice and none left out", () => {
  const whole = selectProbes(all, unfiltered, "cheap", null, catalogue.interfaces);
  const shards = [1, 2, 3].flatMap((index) =>
    selectProbes(all, unfiltered, "cheap", { index, of: 3 }, catalogue.interfaces),
  );
  expect(shards.map(({ source }) => source).sort()).toEqual(whole.map(({ source }) => source).sort());
});

test("filters and what the target lacks leave the other probes out", () => {
  const clausesOf = (groups: readonly ProbeGroup[]) =>
    groups.flatMap(({ probes }) => probes.map(({ clause }) => clause));
  const tools = clausesOf(
    selectProbes(all, { ...unfiltered, sections: ["messages/tools"] }, "cheap", null, catalogue.interfaces),
  );
  expect(tools.length).toBeGreaterThan(20);
  expect(tools.every((clause) => clause.startsWith("messages.tools."))).toBe(true);
  const others = clausesOf(
    selectProbes(
      all,
      { ...unfiltered, lacks: ["images", "chat-completions/tools"] },
      "cheap",
      null,
      catalogue.interfaces,
    ),
  );
  expect(others.some((clause) => /^(images\.|chat-completions\.tools\.)/.test(clause))).toBe(false);
  expect(new Set(others.map((clause) => clause.split(".")[0])).size).toBe(3);
});

test("a bound on requests is kept, and spent on what decides most clauses", () => {
  const few = selectProbes(all, unfiltered, "cheap", null, catalogue.interfaces, 50);
  expect(requests(few)).toBeLessThanOrEqual(50);
  expect(new Set(few.flatMap(({ probes }) => probes.map(({ clause }) => clause))).size).toBeGreaterThan(40);
  const least = selectProbes(all, unfiltered, "cheap", null, catalogue.interfaces, 3);
  expect(requests(least)).toBe(3);
  expect(least.flatMap(({ probes }) => probes.map(({ kind }) => kind))).toEqual(["beyond", "beyond"]);
  expect(plannedProbes(few).reduce((sum, one) => sum + one.requests, 0)).toBe(requests(few));
});

test("a probe that has several replies or a long text made is left out unless all is asked for", () => {
  const asked = (choice: "cheap" | "all") => selectProbes(all, unfiltered, choice, null, catalogue.interfaces);
  const isCostly = ({ twin, probes }: ProbeGroup): boolean => twin.costly || probes.some(({ costly }) => costly);
  expect(asked("cheap").some(isCostly)).toBe(false);
  expect(asked("all").some(isCostly)).toBe(true);
});

test("as many requests are planned as a target that accepts every twin is sent", async () => {
  const server = await serveReference(catalogue, {});
  onTestFinished(() => server.close());
  const groups = selectProbes(all, { ...unfiltered, interfaces: ["images"] }, "all", null, catalogue.interfaces);
  const { sent } = await ask(server.url, groups, {}, { shownAs: server.url });
  expect(sent).toBe(requests(groups));
});

test("the reference keeps every rule it is asked for", async () => {
  const server = await serveReference(catalogue, {});
  onTestFinished(() => server.close());
  const groups = selectProbes(all, { ...unfiltered, interfaces: ["messages"] }, "all", null, catalogue.interfaces);
  const { findings, verdict } = await ask(server.url, groups, {}, { shownAs: server.url });
  expect(findings.filter(({ level }) => level !== "note")).toEqual([]);
  for (const { probes } of groups)
    for (const { clause } of probes) expect([clause, verdict(clause)]).toEqual([clause, "pass"]);
});

test("a server that accepts everything enforces no rule: findings name the place of the violation, and nothing is held against its replies", async () => {
  const { findings, verdict } = await ask(await serving(() => json(200, { anything: true })), ofTemperature);
  expect(verdict("chat-completions.request.temperature-range")).toBe("unenforced");
  const own = findings.filter(({ side }) => side === "request");
  expect(own.length).toBeGreaterThan(0);
  for (const finding of own)
    expect(finding).toMatchObject({ level: "unenforced", reading: "X-ENFORCE", in: "body", pointer: "/temperature" });
});

test.each([
  [[], "warning", "warning"],
  [[], "error", "fail"],
  [[], "off", "unenforced"],
  [["strict:X-ENFORCE"], undefined, "fail"],
  [["strict"], "warning", "warning"],
] as const)(
  "an accepted violation with readings %j and enforcement %s comes to %s",
  async (readings, raised, wanted) => {
    const url = await serving(() => json(200, { anything: true }));
    const { verdict } = await ask(url, ofTemperature, {}, {}, readings, raised);
    expect(verdict("chat-completions.request.temperature-range")).toBe(wanted);
  },
);

test("a server that answers 500 to an invalid request neither accepts nor refuses it, which warns", async () => {
  const groups = wrongKeys("messages");
  const { verdict } = await ask(
    await serving(locked("right-key", () => json(500, {}))),
    groups,
    {},
    { keys: { "*": "right-key" } },
  );
  expect(verdict(clauseOf(groups))).toBe("warning");
});

test("a server that refuses a limit the document grants fails that clause, since the same request with another value was accepted", async () => {
  const atLimit: Handler = ({ body }) => {
    const { temperature } = JSON.parse(Buffer.from(body).toString()) as { temperature?: number };
    return temperature === undefined || (temperature >= 0 && temperature < 2)
      ? json(200, {})
      : json(400, { error: { message: "no" } });
  };
  const { findings, verdict } = await ask(await serving(atLimit), ofTemperature);
  expect(verdict("chat-completions.request.temperature-range")).toBe("fail");
  expect(findings.filter(({ level, side }) => level === "error" && side === "request")).toMatchObject([
    { reading: "X-LEGAL-REFUSED", pointer: "/temperature", actual: 'status 400: {"error":{"message":"no"}}' },
  ]);
});

test("a server that refuses the twin as well shows nothing", async () => {
  const { findings, verdict } = await ask(await serving(() => json(404, { detail: "Not Found" })), ofTemperature);
  expect(verdict("chat-completions.request.temperature-range")).toBe("no-verdict");
  expect(findings.filter(({ side }) => side === "request")).toEqual([]);
});

test("an error under status 200 accepts nothing: neither a good request nor one that violates a rule", async () => {
  const reference = await serveReference(catalogue, {});
  onTestFinished(() => reference.close());
  const failing = (isRefused: (body: Uint8Array) => boolean): Handler => {
    return async ({ body }) => {
      if (isRefused(body))
        return json(200, { error: { message: "no", type: "server_error", param: null, code: null } });
      const headers = { "content-type": "application/json", authorization: "Bearer key" };
      const answer = await fetch(`${reference.url}/v1/chat/completions`, {
        method: "POST",
        headers,
        body: Buffer.from(body),
      });
      return json(answer.status, (await answer.json()) as object);
    };
  };
  const isTooHot = (body: Uint8Array): boolean =>
    Math.abs(JSON.parse(Buffer.from(body).toString()).temperature - 1) > 1;
  for (const isRefused of [() => true, isTooHot]) {
    const { findings, verdict } = await ask(await serving(failing(isRefused)), ofTemperature);
    expect(findings.filter(({ clause }) => clause.startsWith("chat-completions.request."))).toEqual([]);
    expect(verdict("chat-completions.request.temperature-range")).toMatch(/^(no-verdict|pass)$/);
  }
});

test("a short obstacle is quoted whole, and a long one with a sign that there was more", async () => {
  const said = async (detail: string): Promise<unknown> =>
    (await ask(await serving(() => json(404, { detail })), ofTemperature)).needs;
  expect(await said("Not Found")).toContainEqual(expect.stringMatching(/: \{"detail":"Not Found"\}$/));
  expect(await said("Not Found ".repeat(100))).toContainEqual(
    expect.stringMatching(/status 404: \{"detail":.*Found…$/),
  );
});

test("a target that ends in the middle is told as gone", async () => {
  const server = await listen(() => json(200, {}));
  await server.close();
  expect((await ask(server.url, ofTemperature)).gone).toMatchObject({ source: ofTemperature[0]!.source });
});

test("a rule about a class of models is not asked of a target whose own model is of none: no verdict, and no accusation", async () => {
  const clause = "chat-completions.request.max-tokens-models";
  const groups = selectProbes(all, { ...unfiltered, clauses: [clause] }, "cheap", null, catalogue.interfaces);
  const { verdict, findings } = await ask(await serving(() => json(200, {})), groups, { "*": "small-model" });
  expect(verdict(clause)).toBe("no-verdict");
  expect(findings.filter(({ side }) => side === "request")).toEqual([]);
});

test("an answer at another path or to another method is not judged as one of the operation", async () => {
  const clauses = ["messages.request.method", "messages.request.path"];
  const groups = selectProbes(all, { ...unfiltered, clauses }, "cheap", null, catalogue.interfaces);
  const elsewhere: Handler = ({ method, target }) =>
    method === "POST" && target === "/v1/messages"
      ? json(200, {})
      : json(404, { type: "error", error: { type: "not_found", message: "no" } });
  const { findings, verdict } = await ask(await serving(elsewhere), groups);
  expect(clauses.map(verdict)).toEqual(["pass", "pass"]);
  expect(findings.filter(({ clause }) => clause.startsWith("messages.errors."))).toEqual([]);
});

test("another path or method that is answered 503 is no gap in a run", async () => {
  const clauses = ["messages.request.method", "messages.request.path"];
  const groups = selectProbes(all, { ...unfiltered, clauses }, "cheap", null, catalogue.interfaces);
  const busy: Handler = ({ method, target }) =>
    method === "POST" && target === "/v1/messages" ? json(200, {}) : json(503, {});
  const { verdict, incidents } = await ask(await serving(busy), groups);
  expect(clauses.map(verdict)).toEqual(["no-verdict", "no-verdict"]);
  expect(incidents).toEqual([]);
});

const only = (clause: string, fits: (probe: ProbeGroup["probes"][number]) => boolean): ProbeGroup[] =>
  selectProbes(all, { ...unfiltered, clauses: [clause] }, "cheap", null, catalogue.interfaces)
    .map((group) => ({ ...group, probes: group.probes.filter(fits) }))
    .filter(({ probes }) => probes.length > 0);

/** A server that answers the twin, and whatever else differs from it with `status`. */
async function refusingAllBut(twinOf: readonly ProbeGroup[], status: number) {
  const same = (body: Uint8Array, { twin }: ProbeGroup): boolean => Buffer.from(twin.request.body).equals(body);
  return serving(({ body }) => json(twinOf.some((group) => same(body, group)) ? 200 : status, {}));
}

test("a value of a list that is refused is a warning, since it may be a feature that is not offered", async () => {
  const clause = "chat-completions.request.service-tier-values";
  const groups = selectProbes(all, { ...unfiltered, clauses: [clause] }, "cheap", null, catalogue.interfaces);
  const { verdict, findings } = await ask(await refusingAllBut(groups, 400), groups);
  expect(verdict(clause)).toBe("warning");
  expect(findings.filter(({ reading }) => reading === "X-LEGAL-REFUSED").map(({ level }) => level)).toContain(
    "warning",
  );
});

describe("where every refusal of a legal request is to be an error", () => {
  const strictly = ["strict:X-LEGAL-REFUSED"];

  test.each([
    ["a value of a list", "chat-completions.request.service-tier-values", 400],
    ["a limit, with a status that speaks of who asks", "chat-completions.request.temperature-range", 403],
    ["a limit, by a failure", "chat-completions.request.temperature-range", 500],
    ["a form in dispute", "chat-completions.request.logit-bias-type", 400],
  ])("the refusal of %s fails its clause", async (_what, clause, status) => {
    const groups = only(clause, ({ kind }) => kind === "within");
    const url = await refusingAllBut(groups, status);
    const { verdict, findings, incidents } = await ask(url, groups, {}, {}, strictly);
    expect(verdict(clause)).toBe("fail");
    expect(new Set(findings.filter((one) => one.clause === clause).map(({ reading }) => reading))).toEqual(
      new Set(["X-LEGAL-REFUSED"]),
    );
    expect(incidents).toEqual([]);
  });

  test("that of a twin is told as a request that was not answered, and accuses no clause", async () => {
    const url = await serving(() => json(400, { error: { message: "no tools here" } }));
    const { verdict, findings, incidents } = await ask(url, ofTemperature, {}, {}, strictly);
    expect(incidents.length).toBe(ofTemperature.length);
    for (const incident of incidents)
      expect(incident).toMatchObject({ kind: "refused", problem: expect.stringContaining("no tools here") });
    expect(verdict("chat-completions.request.temperature-range")).toBe("no-verdict");
    expect(findings.filter(({ side }) => side === "request")).toEqual([]);
    expect((await ask(url, ofTemperature)).incidents).toEqual([]);
  });

  test("a request that another strict reading finds beyond the rule may be refused", async () => {
    const groups = only("chat-completions.request.logit-bias-type", ({ reading }) => reading === "C-LOGIT-NULL");
    expect(groups.length).toBeGreaterThan(0);
    const url = await refusingAllBut(groups, 400);
    const { findings } = await ask(url, groups, {}, {}, [...strictly, "strict:C-LOGIT-NULL"]);
    expect(findings.filter(({ level, side }) => level === "error" && side === "request")).toEqual([]);
  });
});

test("a refusal that speaks of who asks or of what is not there accuses no limit", async () => {
  const { findings } = await ask(await refusingAllBut(ofTemperature, 404), ofTemperature);
  expect(findings.filter(({ side }) => side === "request")).toEqual([]);
});

test("no probe within a rule asks for another model than its twin", () => {
  const modelIn = ({ request }: { readonly request: { readonly body: Uint8Array } }): string | undefined =>
    /"model":"[^"]*"|name="model"\r\n\r\n[^\r]*/.exec(Buffer.from(request.body).toString("latin1"))?.[0];
  for (const probe of all.probes.filter(({ kind }) => kind === "within"))
    expect([probe.clause, modelIn(probe)]).toEqual([probe.clause, modelIn(all.twins[probe.twin]!)]);
});

test("an answer that breaks off after its head, or redirects, is no refusal", async () => {
  const groups = ofTemperature.map((group) => ({
    ...group,
    probes: group.probes.filter(({ kind }) => kind === "beyond"),
  }));
  const { verdict } = await ask(await refusingAllBut(groups, 302), groups);
  expect(verdict("chat-completions.request.temperature-range")).toBe("no-verdict");
});

const wrongKeys = (of: string): ProbeGroup[] =>
  selectProbes(all, unfiltered, "cheap", null, catalogue.interfaces)
    .map((group) => ({ ...group, probes: group.probes.filter(({ wrongKey }) => wrongKey) }))
    .filter(({ twin, probes }) => twin.interface === of && probes.length > 0);
const clauseOf = (groups: readonly ProbeGroup[]): string => groups[0]!.probes[0]!.clause;

/** Answers the right key, and any other as `refuse` does. */
const locked =
  (key: string, refuse: () => ReturnType<typeof json>, seen: string[] = []): Handler =>
  ({ headers, target }) => {
    const sent = `${headers.map(([name, value]) => `${name}: ${value}`).join("\n")}\n${target}`;
    seen.push(sent);
    return sent.includes(key) ? json(200, {}) : refuse();
  };

test.each(["chat-completions", "images", "messages", "generate-content"])(
  "a wrong key goes to %s without the right one, wherever that is sent",
  async (of) => {
    const groups = wrongKeys(of);
    for (const own of [
      { keys: { "*": "right-key" } },
      { keys: { "*": "right-key" }, ways: of === "generate-content" ? { [of]: { keyHeader: "x-goog-api-key" } } : {} },
      {
        headers: [
          ["authorization", "Bearer right-key"],
          ["x-api-key", "right-key"],
        ] as const,
      },
    ]) {
      const seen: string[] = [];
      const url = await serving(locked("right-key", () => json(401, {}), seen));
      const { verdict, sent } = await ask(url, groups, {}, own);
      expect(verdict(clauseOf(groups))).toBe("pass");
      expect(seen.filter((request) => request.includes("right-key")).length).toBe(groups.length);
      expect(seen.filter((request) => request.includes("wrong-key")).length).toBe(sent - groups.length);
    }
  },
);

test("a target that takes any key does not enforce the rule", async () => {
  const groups = wrongKeys("messages");
  const { verdict, findings } = await ask(await serving(() => json(200, {})), groups);
  expect(verdict(clauseOf(groups))).toBe("unenforced");
  expect(findings.filter(({ clause }) => clause.includes(".auth."))).toMatchObject([
    { level: "unenforced", reading: "X-ENFORCE", in: "headers", pointer: "/x-api-key" },
  ]);
});

test.each([
  [401, "No.", "pass"],
  [403, "Your API key is not valid.", "fail"],
  [403, "This region is not served.", "no-verdict"],
  [404, "no such page", "no-verdict"],
])("a wrong key that messages refuse with %i, saying %s, comes to %s", async (status, message, wanted) => {
  const groups = wrongKeys("messages");
  const type = status === 401 ? "authentication_error" : "invalid_request_error";
  const refuse = () => json(status, { error: { type, message, code: "code" } });
  const { verdict } = await ask(await serving(locked("right-key", refuse)), groups, {}, { keys: { "*": "right-key" } });
  expect(verdict(clauseOf(groups))).toBe(wanted);
});

test("a target that is opened by a header of its own shows nothing about the documented key", async () => {
  const groups = wrongKeys("messages");
  const { verdict, findings } = await ask(
    await serving(() => json(200, {})),
    groups,
    {},
    { headers: [["x-pass", "open-4f9a8c7d6e5b3a21"]] },
  );
  expect(verdict(clauseOf(groups))).toBe("no-verdict");
  expect(findings.filter(({ clause }) => clause.includes(".auth."))).toEqual([]);
});

test.each([
  ["chat-completions.request.stop-type", "error", "X-LEGAL-REFUSED"],
  ["generate-content.request.reference-names", "error", "X-LEGAL-REFUSED"],
  ["chat-completions.request.logit-bias-type", "warning", "C-LOGIT-NULL"],
  ["chat-completions.request.messages-not-empty", "warning", "X-LEGAL-REFUSED"],
])("the refusal of another form, of which %s speaks, finds an %s by %s", async (clause, level, reading) => {
  const groups = only(clause, ({ kind }) => kind === "within");
  const { findings } = await ask(await refusingAllBut(groups, 400), groups);
  const own = findings.filter((finding) => finding.clause === clause);
  expect(own.length).toBeGreaterThan(0);
  for (const finding of own) expect(finding).toMatchObject({ level, reading });
});

test("how a model that nobody has is refused is judged, whether it is refused is not", async () => {
  const strangers = (of: string): ProbeGroup[] =>
    selectProbes(all, { ...unfiltered, interfaces: [of] }, "cheap", null, catalogue.interfaces)
      .map((group) => ({ ...group, probes: group.probes.filter(({ kind }) => kind === "stranger") }))
      .filter(({ probes }) => probes.length > 0);
  const notFound: Handler = ({ body }) =>
    Buffer.from(body).includes("unknown-") ? json(404, { error: "no such model" }) : json(200, {});
  const refused = await ask(await serving(notFound), strangers("messages"));
  expect(refused.verdict("messages.errors.error-object")).toBe("fail");
  const taken = await ask(await serving(() => json(200, {})), strangers("messages"));
  expect(taken.findings.filter(({ side }) => side === "request")).toEqual([]);
});
