/** Serves a client library as a gateway: each request becomes one call of it, and its result becomes the answer. */
import { interfaceNamed } from "../../check/interface.ts";
import { classOfStatus } from "../../interfaces/common/facts/errors.ts";
import type { AnswerFacts, ChoiceFacts, ErrorFacts, Part } from "../../interfaces/common/facts/model.ts";
import type { AnswerPiece } from "../../interfaces/common/facts/write.ts";
import { factWriters } from "../../interfaces/fact-writers.ts";
import type { Loose } from "../../run/clients/trial.ts";
import { utf8 } from "../../wire/build.ts";
import type { HeaderPairs } from "../../wire/exchange.ts";
import type { Listening, Piece, Reply } from "../../wire/listen.ts";
import { openServer, type ServerOptions } from "../../wire/open-server.ts";
import { keyOf } from "../translate/keys.ts";
import {
  type Answered,
  eventStream,
  refuse,
  type TranslateOptions,
  translateRequest,
  writtenBy,
} from "../translate/translate.ts";
import type { Route } from "../trip.ts";
import type { Library, LibraryCall } from "./library.ts";

export interface LibraryOptions extends ServerOptions, TranslateOptions {
  readonly route: Route;
  /** The base URL of the upstream. */
  readonly upstream: string;
  readonly library: Library;
  /** The exports of its packages. */
  readonly sdk: Loose;
}

/** An error of a library, by the status that it tells; one without is of its own. */
function errorOf(thrown: Loose): ErrorFacts {
  const status = [thrown?.statusCode, thrown?.status].find((one) => Number.isInteger(one) && one >= 400);
  const headers = thrown?.responseHeaders ?? thrown?.headers;
  const retryAfter = headers?.["retry-after"] ?? headers?.get?.("retry-after") ?? undefined;
  return {
    class: status === undefined ? "server" : classOfStatus(status),
    ...(status !== undefined && { status }),
    message: String(thrown?.message ?? thrown).slice(0, 2_000),
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

interface OpenCall {
  readonly kind: "call";
  readonly id?: string;
  readonly name?: string;
  arguments: string;
}

/** The answer that pieces make. */
function answerOf(pieces: readonly AnswerPiece[]): AnswerFacts {
  const parts: Part[] = [];
  const calls: OpenCall[] = [];
  let choice: Omit<ChoiceFacts, "index" | "parts"> = {};
  let answer: Pick<AnswerFacts, "usage"> = {};
  for (const piece of pieces)
    if (piece.kind === "text" || piece.kind === "thinking" || piece.kind === "refusal") parts.push(piece);
    else if (piece.kind === "call") {
      const { choice: _, call, ...named } = piece;
      calls[call] = { ...named, arguments: "" };
      parts.push(calls[call]);
    } else if (piece.kind === "arguments") calls[piece.call]!.arguments += piece.text;
    else if (piece.kind === "medium") parts.push(piece.medium);
    else if (piece.kind === "logs") choice = { ...choice, logs: piece.logs };
    else if (piece.kind === "sources") choice = { ...choice, sources: [...(choice.sources ?? []), ...piece.sources] };
    else if (piece.kind === "finish") choice = { ...choice, finish: piece.finish };
    else if (piece.kind === "usage") answer = { usage: piece.usage };
  return { streamed: false, ended: true, choices: [{ index: 0, parts, ...choice }], ...answer };
}

/** Warnings as headers, which hold no other characters than these. */
const headersOf = (warnings: readonly string[]): HeaderPairs =>
  warnings.map((text) => ["warning", `299 - ${JSON.stringify(text.replace(/[^\x20-\x7e]/g, "?"))}`]);

const replyOf = ({ status, headers, body }: Answered, more: HeaderPairs = []): Reply => ({
  status,
  headers: [...headers, ...more],
  pieces: [{ bytes: body }],
});

/** Serves until it is closed; UserError where it cannot listen there. */
export async function serveLibrary(options: LibraryOptions): Promise<Listening> {
  const { route, upstream: baseUrl, library, sdk, catalogue, now } = options;
  const { key: place } = interfaceNamed(catalogue.interfaces, route.from)!;
  const { writeAnswer, createEncoder } = factWriters[route.from]!;

  /** The answer's pieces; warnings are put aside. */
  async function* answered(call: LibraryCall, warnings: string[]): AsyncGenerator<AnswerPiece> {
    for await (const piece of library.ask(sdk, call))
      if (piece.kind === "warnings") warnings.push(...piece.warnings);
      else yield piece;
  }

  return openServer(async (request, signal): Promise<Reply> => {
    const translated = translateRequest(request, route, options);
    if (!translated)
      return replyOf(refuse(route, { class: "not-found", message: `This is no request of ${route.from}.` }));
    const { asked } = translated;
    const warnings: string[] = [];
    const key = (place && keyOf(request, place)) ?? "none";
    const pieces = answered({ asked, to: route.to, baseUrl, key, signal }, warnings);
    const written = writtenBy(translated, {}, now());
    try {
      if (!asked.stream) {
        const all: AnswerPiece[] = [];
        for await (const piece of pieces) all.push(piece);
        const body = utf8(JSON.stringify(writeAnswer(answerOf(all), written)));
        return replyOf({ status: 200, headers: [["content-type", "application/json"], ...headersOf(warnings)], body });
      }
      const encode = createEncoder(written, asked.settings["stream.usage"] === true);
      // Warnings and errors before the first piece belong to the head.
      const first = await pieces.next();
      async function* more(): AsyncGenerator<Piece> {
        yield { bytes: utf8(encode({ kind: "start" })) };
        if (!first.done) yield { bytes: utf8(encode(first.value)) };
        try {
          for await (const piece of pieces) yield { bytes: utf8(encode(piece)) };
        } catch (thrown) {
          yield { bytes: utf8(encode({ kind: "error", error: errorOf(thrown) })) };
        }
      }
      return { status: 200, headers: [...eventStream, ...headersOf(warnings)], pieces: [], more: more() };
    } catch (thrown) {
      return replyOf(refuse(route, errorOf(thrown)), headersOf(warnings));
    }
  }, options);
}
