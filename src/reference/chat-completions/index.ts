/** The embedded reference implementation of chat-completions: refuses what is wrong, answers the rest, whole or streamed. */

import type { Answer, IncomingRequest } from "../../check/answer.ts";
import type { Finding } from "../../check/clause.ts";
import type { Reply } from "../../wire/listen.ts";
import { jsonReply, streamReply } from "../answer.ts";
import { directivesIn } from "../directives.ts";
import { listReply, messageListReply } from "./lists.ts";
import { completionOf, lastUserText, replyTo } from "./reply.ts";
import { chunksOf } from "./stream.ts";

function refusal(status: number, message: string, code: string | null = null, param: string | null = null): Reply {
  const type = status >= 500 ? "server_error" : "invalid_request_error";
  return jsonReply(status, { error: { message, type, param, code } });
}

/** The member a finding speaks about, as `tools[0].function.name`. */
function paramOf({ in: place, pointer }: Finding): string | null {
  if (place !== "body" || pointer === "") return null;
  return pointer
    .slice(1)
    .replace(/\/(\d+)(?=\/|$)/g, "[$1]")
    .replaceAll("/", ".");
}

function refuse({ faults, request, subject }: IncomingRequest): Reply | undefined {
  const authorization = subject?.request.headers["authorization"];
  if (faults.some(({ clause }) => clause.startsWith("chat-completions.auth.")) || authorization === undefined)
    return refusal(401, "There is no usable API key in the Authorization header.", "invalid_api_key");
  if (/^bearer wrong-key$/i.test(authorization)) return refusal(401, "The API key is wrong.", "invalid_api_key");
  const [fault] = faults;
  if (fault?.in === "method") return refusal(405, `The method ${request.method} is not allowed here.`);
  if (fault?.in === "path") return refusal(404, "There is no such version of this interface.");
  if (fault) return refusal(400, fault.message, null, paramOf(fault));
  return undefined;
}

/** Cuts a streamed reply, or spreads it over time, as directives ask. */
function paced(reply: Reply, directives: ReadonlyMap<string, string>): Reply {
  const after = Math.min(1000, Number(directives.get("pace") ?? 0)) || 0;
  const pieces = after ? reply.pieces.map((piece) => ({ ...piece, after })) : reply.pieces;
  const end = directives.get("break");
  return end === undefined
    ? { ...reply, pieces }
    : { ...reply, pieces: pieces.slice(0, Number(end) || 1), abort: true };
}

export const answer: Answer = (asked) => {
  const { subject } = asked;
  if (!subject) return undefined;
  const refused = refuse(asked);
  if (refused) return refused;
  if (subject.operation.name === "GET /v1/chat/completions") return listReply();
  if (subject.operation.name === "GET /v1/chat/completions/{id}/messages") return messageListReply();
  const body = subject.requestJson;
  if (String(body["model"]).startsWith("unknown-"))
    return refusal(404, `There is no model ${JSON.stringify(body["model"])}.`, "model_not_found", "model");
  const directives = directivesIn(lastUserText(body));
  const failing = Number(directives.get("error"));
  if (failing >= 400 && failing < 600) return refusal(failing, "The request asked for this failure.");
  const planned = replyTo(body);
  if ("problem" in planned) return refusal(400, planned.problem, null, planned.param);
  return subject.streamed
    ? paced(streamReply(chunksOf(planned, body)), directives)
    : jsonReply(200, completionOf(planned));
};
