/** The suites against a server that breaks a clause: one test is to go red. */
import { type Server, serve } from "touchstone";
import { conformance } from "touchstone/vitest";
import { afterAll, beforeAll } from "vitest";

let server: Server;
beforeAll(async () => void (server = await serve({ break: ["messages.streaming.message-stop-last"] })));
afterAll(() => server.close());

conformance(() => server.url, { scenario: ["messages/response/text", "messages/streaming/text"] });
