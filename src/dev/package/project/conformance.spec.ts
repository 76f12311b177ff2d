/** The suites in a test file: against a server that conforms, but for what it is said to lack. */
import { record, type Server, serve } from "touchstone";
import { conformance } from "touchstone/vitest";
import { afterAll, beforeAll } from "vitest";

let server: Server;
beforeAll(async () => void (server = await serve()));
afterAll(() => server.close());

conformance(() => server.url, { interfaces: ["images"], lacks: ["edits"], preset: "vendors" });

// @ts-expect-error: there is no such option
if (process.env["NEVER"]) conformance("http://127.0.0.1:8080", { interfaces: ["images"], jobs: 2 });

// @ts-expect-error: nothing says what to record
if (process.env["NEVER"]) await record({});
// @ts-expect-error: the same
if (process.env["NEVER"]) await record({ out: "session.jsonl" });
if (process.env["NEVER"]) await record({ upstreams: { images: "http://127.0.0.1:8080" } });
