/** Runs against servers that accept only the models that they list. */
import { expect, onTestFinished, test, vi } from "vitest";
import { utf8 } from "../../wire/build.ts";
import type { Handler } from "../../wire/listen.ts";
import { lookAt } from "../init.ts";
import { json, recordedAnswers, recordings, serve, touchstone } from "../run.test-kit.ts";
import { run } from "../run.ts";

const path = "/v1/chat/completions";

/** Gives recorded chat completions, only for listed models. */
function listing(...models: string[]): Handler {
  const good = recordedAnswers();
  return (request) => {
    if (request.target === "/v1/models") return json({ data: models.map((id) => ({ id, object: "model" })) });
    const said = request.target === path ? JSON.parse(Buffer.from(request.body).toString()) : undefined;
    if (said === undefined) return json({ error: { message: "no such path" } }, 404);
    if (!models.includes(said.model))
      return json({ error: { message: `The model ${said.model} does not exist` } }, 404);
    const asRecorded = JSON.stringify(said).replaceAll(said.model, "chat-model");
    return good({ ...request, body: utf8(asRecorded) });
  };
}

const only = ["--interface", "chat-completions", "--no-probes"];

test("the only listed model is used, and a line says so", async () => {
  const url = await serve(listing("tiny-1b", "tiny-embed"));
  const { code, stderr } = await touchstone([url, ...only]);
  const line = "The target does not know the recorded model and lists only one: this run uses --model tiny-1b.\n";
  expect([code, stderr]).toEqual([0, line]);
  const { options } = await run(url, { recordings, interface: ["chat-completions"], probes: false });
  expect(options.models).toEqual({ "*": "tiny-1b" });
});

test.each<[string, number, unknown]>([
  ["a parameter", 400, { error: { message: "unsupported value", param: "model", code: null } }],
  ["a code", 403, { error: { message: "You do not have access to it", code: "model_not_found" } }],
  ["a location", 422, { detail: [{ loc: ["body", "model"], msg: "Input should be 'tiny-1b'", input: "chat-model" }] }],
  ["words", 400, { error: { message: "'model' must be 'tiny-1b'" } }],
])("a rejection that names the model in %s is understood", async (_, status, rejection) => {
  const listed = listing("tiny-1b");
  const url = await serve((request) => {
    const isOther = request.target === path && Buffer.from(request.body).includes('"chat-model"');
    return isOther ? json(rejection, status) : listed(request);
  });
  expect((await touchstone([url, ...only])).code).toBe(0);
});

test("the list is requested with the key and the headers of the run, and with init's", async () => {
  const listed = listing("tiny-1b");
  const url = await serve((request) => {
    const headers = new Map(request.headers.map(([name, value]) => [name.toLowerCase(), value]));
    const isKnown = headers.get("authorization") === "Bearer secret-of-mine" && headers.get("x-tenant") === "a";
    return isKnown ? listed(request) : json({ error: { message: "Incorrect API key provided" } }, 401);
  });
  vi.stubEnv("OWN_KEY", "secret-of-mine");
  onTestFinished(() => void vi.unstubAllEnvs());
  const given = ["--key", "$OWN_KEY", "--header", "X-Tenant: a"];
  const { code, stderr } = await touchstone([url, ...given, ...only]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("--model tiny-1b")]);
  const { notes } = await lookAt(url, { key: ["$OWN_KEY"], header: ["X-Tenant: a"], probes: false });
  expect(notes).toContain("it lists models; text is asked of tiny-1b");
});

test("the only model of a server for images is used for images", async () => {
  const good = recordedAnswers();
  const url = await serve((request) => {
    if (request.target === "/v1/models") return json({ data: [{ id: "image-tiny" }] });
    if (request.target !== "/v1/images/generations") return json({ error: { message: "no such path" } }, 404);
    const said = Buffer.from(request.body).toString();
    if (!said.includes('"image-tiny"')) return json({ error: { message: "no", code: "model_not_found" } }, 404);
    return good({ ...request, body: utf8(said.replaceAll("image-tiny", "image-v2")) });
  });
  const { code, stderr } = await touchstone([url, "--interface", "images", "--section", "generations", "--no-probes"]);
  expect(stderr).toBe(
    "The target does not know the recorded model and lists only one: this run uses --model images=image-tiny.\n",
  );
  expect(code).not.toBe(2);
});

test.each([
  ["several are listed", ["tiny-1b", "tiny-2b"], []],
  ["none is listed", [], []],
  ["another was chosen", ["tiny-1b"], ["--model", "mine"]],
])("no model is chosen if %s", async (_, models, more) => {
  const { code, stderr } = await touchstone([await serve(listing(...models)), ...only, ...more]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^touchstone: the target does not know the model .*\nName one it has: /);
  if (models.length > 0) expect(stderr).toContain(`It lists ${models.join(", ")}.`);
});
