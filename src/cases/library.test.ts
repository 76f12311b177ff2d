/** Cases in the tests of others: they are listed, served, and what a client made of them conforms or does not. */
import OpenAI from "openai";
import { expect, onTestFinished, test } from "vitest";
import { type CaseServer, cases, serve } from "../index.ts";
import "../vitest.ts";

async function served(id: string): Promise<CaseServer> {
  const server = await serve({ case: id });
  onTestFinished(() => server.close());
  return server;
}

const question = { model: "m", messages: [{ role: "user" as const, content: "Hi." }] };

/** The text of a stream by the official SDK. */
async function textBySdk({ url }: CaseServer): Promise<string> {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "test-key", maxRetries: 0 });
  let text = "";
  for await (const chunk of await client.chat.completions.create({ ...question, stream: true }))
    text += chunk.choices[0]?.delta.content ?? "";
  return text;
}

/** The text by a few lines that know one blank line and one kind of line alone. */
async function textByHand({ url }: CaseServer): Promise<string> {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer test-key", "content-type": "application/json" },
    body: JSON.stringify({ ...question, stream: true }),
  });
  const events = (await answer.text()).split("\n\n").filter((event) => event.startsWith("data: {"));
  return events.map((event) => JSON.parse(event.slice(6)).choices[0].delta.content ?? "").join("");
}

test("cases are listed by interface and pattern, for test.each", () => {
  const all = cases("messages");
  expect(all.length).toBeGreaterThan(150);
  expect(all[0]).toMatchObject({ case: "plain", interface: "messages", kind: "legal", tools: false });
  expect(cases("images", "redirect/30*").map((one) => one.case)).toContain("redirect/307-other-origin");
  expect(() => cases("message")).toThrow("there are no cases of message");
});

test.each(cases("chat-completions", "stream/c*-between", "stream/crlf", "chat-completions/role-alone"))(
  "the official SDK does well: $case",
  async ({ case: id }) => {
    const server = await served(id);
    const outcome = await server.outcome(() => textBySdk(server));
    expect(outcome).toMatchObject({ case: id, outcome: "works", level: null });
    expect(outcome).toConform();
  },
);

test("a client that loses text fails, and the message says why", async () => {
  const server = await served("stream/no-blank");
  const outcome = await server.outcome(() => textByHand(server));
  expect(outcome).toMatchObject({ outcome: "loses", level: "error", why: "nothing of the text came out" });
  expect(() => expect(outcome).toConform()).toThrow(
    /case stream\/no-blank \(chat-completions\): loses.*\n {2}No space follows/,
  );
  expect(server.exchanges).toHaveLength(1);
});

test("an error where one is due conforms, and none does not", async () => {
  const server = await served("failure/401");
  expect(await server.outcome(() => textBySdk(server))).toMatchObject({ outcome: "error" });
  const careless = await served("failure/401");
  const outcome = await careless.outcome(() => textByHand(careless));
  expect(outcome).toMatchObject({ outcome: "silent", level: "error" });
  expect(outcome).not.toConform();
});

test("warnings conform unless the level asks for more", async () => {
  const server = await served("cut/end-in-text");
  const outcome = await server.outcome(() => textByHand(server));
  expect(outcome).toMatchObject({ outcome: "silent", level: "warning" });
  expect(outcome).toConform();
  expect(outcome).not.toConform({ level: "warning" });
});

test("a client that does not end within its time hangs", async () => {
  const server = await served("stream/lf");
  const outcome = await server.outcome(() => new Promise(() => undefined), { timeout: 50 });
  expect(outcome).toMatchObject({ outcome: "not-shown", why: "it sent no request" });
  const asked = await served("stream/lf");
  const hanging = async () => {
    await textByHand(asked);
    return new Promise<never>(() => undefined);
  };
  expect(await asked.outcome(hanging, { timeout: 500 })).toMatchObject({ outcome: "hangs", level: "error" });
});

test("a case that is none is one clear line", async () => {
  await expect(serve({ case: "stream/clrf" })).rejects.toThrow("there is no case stream/clrf");
});
