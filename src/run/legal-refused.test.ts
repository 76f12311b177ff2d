/** A request within the rules may be refused (reading X-LEGAL-REFUSED), and nobody may have named a model of its kind (X-MODEL-CAPS). */

import { expect, onTestFinished, test } from "vitest";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { judgingOf } from "../interfaces/judging.ts";
import { type Handler, listen } from "../wire/listen.ts";
import { createSender } from "../wire/send.ts";
import { judgeProbes } from "./judge/judge-probes.ts";
import { bareTarget } from "./plan/target.test-kit.ts";
import type { Target } from "./plan/target.ts";
import { json } from "./run.test-kit.ts";
import { probedModels, selectProbes, shippedProbes } from "./send/probes.ts";
import { sendProbeGroup } from "./send/send-probes.ts";

const catalogue = await openCatalogue();
const all = shippedProbes();
const { policy } = judgingOf(undefined, [], {}, catalogue);

interface Settings {
  readonly models?: Readonly<Record<string, string>>;
  readonly again?: number;
}

/** Asks a server for one clause. */
async function ask(clause: string, handler: Handler, { models = {}, again = 1 }: Settings = {}) {
  const server = await listen(handler);
  onTestFinished(() => server.close());
  const sender = createSender();
  onTestFinished(() => sender.close());
  const target: Target = { ...bareTarget(server.url), models };
  const filters = { interfaces: [], sections: [], clauses: [clause], lacks: [] };
  const findings = [];
  const whys: string[] = [];
  let sent = 0;
  for (const group of selectProbes(all, filters, "all", null, catalogue.interfaces)) {
    const asking = { target, policy, again, knownModels: probedModels(all, catalogue.interfaces) };
    const answers = await sendProbeGroup(group, asking, catalogue, sender);
    sent += answers.sent.length;
    for (const one of judgeProbes(group, answers, asking, catalogue).evidence) {
      findings.push(...one.findings.filter(({ side, level }) => side === "request" && level !== "unenforced"));
      whys.push(...one.missed.map(({ why }) => why));
    }
  }
  return { findings, whys: whys.join("\n"), sent };
}

const reply = { id: "a", object: "chat.completion", created: 1, model: "m", choices: [] };
const bodyOf = ({ body }: Parameters<Handler>[0]): Record<string, unknown> => JSON.parse(Buffer.from(body).toString());
const temperature = "chat-completions.request.temperature-range";
const isEdge = (asked: Record<string, unknown>): boolean => asked["temperature"] === 2;
const refusal = (status: number) => json({ error: { message: "no" } }, status);

test("a limit that is refused each time it is asked fails, and one that is refused once does not", async () => {
  const always = await ask(temperature, (request) => (isEdge(bodyOf(request)) ? refusal(400) : json(reply)));
  expect(always.findings).toMatchObject([{ clause: temperature, level: "error", reading: "X-LEGAL-REFUSED" }]);
  let times = 0;
  const once = await ask(temperature, (request) =>
    isEdge(bodyOf(request)) && times++ === 0 ? refusal(400) : json(reply),
  );
  expect([once.findings, times]).toEqual([[], 2]);
});

test("a refusal that could not be asked again accuses nobody", async () => {
  const { findings, whys } = await ask(
    temperature,
    (request) => (isEdge(bodyOf(request)) ? refusal(400) : json(reply)),
    {
      again: 0,
    },
  );
  expect(findings).toEqual([]);
  expect(whys).toContain("a second refusal");
});

test("a failure of the server's own is no refusal of a limit", async () => {
  const { findings, whys } = await ask(temperature, (request) =>
    isEdge(bodyOf(request)) ? refusal(500) : json(reply),
  );
  expect(findings).toEqual([]);
  expect(whys).toContain("not status 500");
});

test("the edge of a range that the document states twice may be refused", async () => {
  const budget = "messages.request.budget-minimum";
  const isEdge = (asked: Record<string, unknown>): boolean =>
    (asked["thinking"] as { budget_tokens?: unknown } | undefined)?.budget_tokens === 1024;
  let edges = 0;
  const { findings, whys } = await ask(budget, (request) => {
    if (!isEdge(bodyOf(request))) return json({});
    edges++;
    return refusal(400);
  });
  expect([findings, edges > 0]).toEqual([[], true]);
  expect(whys).toContain("M-BUDGET");
});

test("a model of a kind is asked for only where somebody named one", async () => {
  const clause = "chat-completions.request.max-tokens-models";
  const models: unknown[] = [];
  const handler: Handler = (request) => {
    const { model, max_tokens } = bodyOf(request);
    models.push(model);
    return max_tokens === undefined ? json(reply) : refusal(400);
  };
  const unnamed = await ask(clause, handler, { models: { "chat-completions": "mine" } });
  expect([unnamed.sent, models]).toEqual([0, []]);
  expect(unnamed.whys).toContain("--model reasoning=ID");
  const named = await ask(clause, handler, { models: { reasoning: "thinker" } });
  expect([named.sent, models]).toEqual([2, ["thinker", "thinker"]]);
});
