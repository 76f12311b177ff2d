/** Runs against servers that accept only the models that they list. */
import { expect, test } from "vitest";
import { utf8 } from "../../wire/build.ts";
import type { Handler } from "../../wire/listen.ts";
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
  const line = "The target does not know the recorded model and lists only tiny-1b: this run uses that one.\n";
  expect([code, stderr]).toEqual([0, line]);
  const { options } = await run(url, { recordings, interface: ["chat-completions"], probes: false });
  expect(options.models).toEqual({ "*": "tiny-1b" });
});

test.each([
  ["several are listed", ["tiny-1b", "tiny-2b"], []],
  ["none is listed", [], []],
  ["another was chosen", ["tiny-1b"], ["--model", "mine"]],
])("no model is chosen if %s", async (_, models, more) => {
  const { code, stderr } = await touchstone([await serve(listing(...models)), ...only, ...more]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^touchstone: the target does not know the model .*\nName one it has: /);
});
