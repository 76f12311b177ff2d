/** A faulty upstream and a gateway before it, for tests of what a run makes of a baseline. */
import type { RunResults } from "../verdict/run-results.ts";
import { type Handler, type Listening, listen } from "../wire/listen.ts";
import { recordedAnswers, spoilt } from "./run.test-kit.ts";

export const chat = "/v1/chat/completions";
export const messages = "/v1/messages";
export const google = "generateContent";
export const inBoth = "chat-completions.response.object-value";
export const alone = "messages.response.stop-reason-values";
export const mended = "generate-content.response.candidates-type";

/** Sends every request on to an upstream, and its answer back. */
export const through =
  (url: string): Handler =>
  async ({ method, target, headers, body }) => {
    const sent = new Headers(
      headers.filter(([name]) => !/^(host|connection|content-length|transfer-encoding)$/i.test(name)) as [
        string,
        string,
      ][],
    );
    const answer = await fetch(url + target, {
      method,
      headers: sent,
      ...(body.length > 0 && { body: Uint8Array.from(body) }),
    });
    return {
      status: answer.status,
      headers: [["content-type", answer.headers.get("content-type") ?? "application/json"]],
      pieces: [{ bytes: Buffer.from(await answer.arrayBuffer()) }],
    };
  };

/** Breaks one clause of chat completions and one of generate content. */
export const faultyUpstream = (): Handler =>
  spoilt(
    google,
    (body: { candidates: unknown }) => ({ ...body, candidates: { 0: "none" } }),
    spoilt(chat, (body: object) => ({ ...body, object: "completion" })),
  );

/** Breaks one clause of messages, and mends that of generate content. */
export const gatewayTo = (url: string): Handler => {
  const good = recordedAnswers();
  const broken = spoilt(messages, (body: object) => ({ ...body, stop_reason: "done" }), through(url));
  return (request) => (request.target.includes(google) ? good(request) : broken(request));
};

/** What results say of each violation and each request without an answer. */
export const comparedIn = ({ clauses, incidents }: RunResults) => ({
  clauses: Object.fromEntries(clauses.flatMap(({ id, upstream }) => (upstream ? [[id, upstream.outcome]] : []))),
  incidents: incidents.map(({ source, upstream }) => [source, upstream?.outcome]),
});

const servers: Listening[] = [];
/** For the `afterAll` of a file that calls `standing`. */
export async function closeStanding(): Promise<void> {
  for (const server of servers.splice(0)) await server.close();
}

/** The address of a server that all tests of a file ask. */
export async function standing(handler: Handler): Promise<string> {
  const server = await listen(handler);
  servers.push(server);
  return server.url;
}
