/** A script of CommonJS: judges an exchange of a server that violates a clause, and prints the clause. */
import { type CheckOptions, check, type Exchange, serve, UserError, watch } from "touchstone";

import required = require("touchstone");

import { type ConformOptions, conformance, matchers } from "touchstone/vitest";

const options: CheckOptions & ConformOptions = { preset: "vendors" };

async function main(): Promise<void> {
  const server = await serve({ break: ["chat-completions.response.finish-reason-values"] });
  const { fetch, exchanges } = watch();
  const headers = { authorization: "Bearer test-key", "content-type": "application/json" };
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi" }] });
  await (await fetch(`${server.url}/v1/chat/completions`, { method: "POST", headers, body })).text();
  await server.close();
  const seen: readonly Exchange[] = exchanges;
  const { findings } = await check(seen, options);
  const { pass } = await matchers.toConform(seen, options);
  console.log(JSON.stringify({ found: findings.map(({ clause }) => clause), pass }));
  const refusal = await required.readCassette("nowhere.jsonl").catch((error: unknown) => error);
  if (!(refusal instanceof UserError)) throw refusal;
  const { UserError: imported } = await import("touchstone");
  console.log(`one library: ${imported === UserError}`);
  conformance(server.url, { interfaces: ["images"] });
}

main().catch((error: Error) => console.log(error.message));
