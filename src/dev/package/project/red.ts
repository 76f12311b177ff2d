/** A client's test that is to go red: the server breaks one clause. */
import OpenAI from "openai";
import { serve, watch } from "touchstone";
import "touchstone/vitest";
import { expect, test } from "vitest";

test("a client of a broken server", async () => {
  const server = await serve({ break: ["chat-completions.response.finish-reason-values"] });
  const { fetch, exchanges } = watch();
  const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: "test-key", fetch });
  await client.chat.completions.create({ model: "m", messages: [{ role: "user", content: "Hi" }] });
  await server.close();
  expect(exchanges).toConform();
});
