/** The library and the matcher under jest of CommonJS, with ts-jest. */
import { join } from "node:path";
import { type Exchange, intercept, play, readCassette, serve, UserError, watch } from "touchstone/jest";

const headers = { authorization: "Bearer test-key", "content-type": "application/json" };
const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }] });
const asked = { method: "POST", headers, body };

test("exchanges conform, and are judged at once", async () => {
  const server = await serve();
  const { fetch, exchanges } = watch();
  await (await fetch(`${server.url}/v1/chat/completions`, asked)).text();
  await server.close();
  const seen: Exchange[] = exchanges;
  expect(seen).toConform();
  expect(() => expect(seen).not.toConform()).toThrow("and no clause fails");
});

test("a server that violates a clause is told", async () => {
  const clause = "chat-completions.response.finish-reason-values";
  const server = await serve({ break: [clause] });
  const restore = intercept({ "api.example.com": server });
  const { fetch, exchanges } = watch();
  await (await fetch("https://api.example.com/v1/chat/completions", asked)).text();
  restore();
  await server.close();
  expect(server.requests).toHaveLength(1);
  expect(() => expect(exchanges).toConform()).toThrow(`FAIL ${clause}`);
});

test("a cassette records itself and is played", async () => {
  const service = await serve();
  const cassette = join(__dirname, "chat.jsonl");
  for (const mode of ["once", "never"] as const) {
    const player = await play(cassette, { record: service.url, mode });
    expect((await fetch(`${player.url}/v1/chat/completions`, asked)).status).toBe(200);
    await player.close();
  }
  await service.close();
  expect((await readCassette(cassette)).exchanges).toHaveLength(1);
  await expect(cassette).toConform();
});

test("what people can mend is a UserError", async () => {
  await expect(readCassette("nowhere.jsonl")).rejects.toThrow(UserError);
});

test("options that there are not are no types", () => {
  // @ts-expect-error: there is no such option
  const judge = () => expect([]).toConform({ presets: "vendors" });
  expect(judge).toThrow("nothing was judged");
});
