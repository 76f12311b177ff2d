/** Serves the reference translator: a gateway between two interfaces, in front of any upstream. */
import type { HeaderPairs, WireRequest, WireResponse } from "../../wire/exchange.ts";
import { hopByHop } from "../../wire/headers.ts";
import type { Listening, Piece, Reply } from "../../wire/listen.ts";
import { openServer, type ServerOptions } from "../../wire/open-server.ts";
import { createSender, defaultLimits, joinUrl, type Sender, type Sent, type Watch } from "../../wire/send.ts";
import type { Route } from "../trip.ts";
import {
  type Answered,
  eventStream,
  isStream,
  noChange,
  refuse,
  type Translated,
  type TranslateOptions,
  translateAnswer,
  translateRequest,
  translateStream,
} from "./translate.ts";
import { unsayable, wordOf } from "./unsayable.ts";

export interface GatewayOptions extends ServerOptions, TranslateOptions {
  readonly route: Route;
  /** The base URL of the upstream. */
  readonly upstream: string;
}

/** Pieces that are given as they come. */
interface Queue {
  push(bytes: Uint8Array): void;
  /** Ends it; with an error, whoever takes the pieces gets that after the last. */
  end(error?: Error): void;
  readonly pieces: AsyncIterable<Piece>;
}

function createQueue(): Queue {
  const waiting: Uint8Array[] = [];
  let ended: { readonly error: Error | undefined } | undefined;
  let wake: () => void = () => {};
  async function* take(): AsyncGenerator<Piece> {
    for (;;) {
      const bytes = waiting.shift();
      if (bytes) yield { bytes };
      else if (ended) {
        if (ended.error) throw ended.error;
        return;
      } else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  return {
    push(bytes) {
      if (bytes.length > 0) waiting.push(bytes);
      wake();
    },
    end(error) {
      ended ??= { error };
      wake();
    },
    pieces: take(),
  };
}

type Head = Pick<WireResponse, "status" | "reason" | "headers">;

/** Sends a request to the upstream. @param watch told of the head and of each piece as they come */
function forward({ upstream }: GatewayOptions, sender: Sender, request: WireRequest, watch: Watch): Promise<Sent> {
  const { origin, target } = joinUrl(upstream, request.target);
  return sender.send(origin, { ...request, target }, watch);
}

const broken = new Error("the upstream broke off");

const isBroken = ({ exchange, failure }: Sent): boolean => exchange.aborted !== undefined || failure !== undefined;

const replyOf = ({ status, headers, body }: Answered): Reply => ({ status, headers, pieces: [{ bytes: body }] });

/** Headers that belong to one connection, and those that whoever sends writes anew. */
const ownHeaders = (headers: HeaderPairs): HeaderPairs =>
  headers.filter(([name]) => !hopByHop.has(name.toLowerCase()) && !/^(?:host|content-length|expect)$/i.test(name));

/** Hands bytes through as they come, in both directions. */
async function passThrough(
  options: GatewayOptions,
  sender: Sender,
  request: WireRequest,
  left: AbortSignal,
): Promise<Reply> {
  const queue = createQueue();
  const sent = { ...request, headers: ownHeaders(request.headers) };
  return new Promise((resolve) => {
    const head = (one: Head): void =>
      resolve({ ...one, headers: ownHeaders(one.headers), pieces: [], more: queue.pieces });
    const fail = (): void => {
      queue.end(broken);
      resolve(replyOf(refuse(options.route, noAnswer)));
    };
    forward(options, sender, sent, { left, head, piece: queue.push }).then((all) => {
      if (!all.exchange.response) fail();
      else queue.end(isBroken(all) ? broken : undefined);
    }, fail);
  });
}

const noAnswer = { class: "server", status: 502, message: "The upstream gave no whole answer." } as const;

/** Hands an answer through as it is translated: event by event where it is a stream. */
async function translated(options: GatewayOptions, sender: Sender, one: Translated, left: AbortSignal): Promise<Reply> {
  const { change, route } = options;
  const queue = createQueue();
  const stream = translateStream(one, options);
  let held = "";
  const tell = (text: string): void => {
    if (change.holdsBack) held += text;
    else queue.push(Buffer.from(text));
  };
  return new Promise((resolve) => {
    let isStreamed = false;
    const watch: Watch = {
      left: change.ignoresLeaving ? new AbortController().signal : left,
      head(head) {
        isStreamed = head.status < 300 && isStream(head.headers);
        if (isStreamed) resolve({ status: 200, headers: eventStream, pieces: [], more: queue.pieces });
      },
      piece(bytes) {
        if (isStreamed) tell(stream.push(bytes));
      },
    };
    const finish = (all: Sent): void => {
      if (!isStreamed) {
        resolve(replyOf(wholeAnswer(options, one, all)));
        return;
      }
      const { text, isWhole } = stream.end();
      tell(text);
      queue.push(Buffer.from(held));
      queue.end(isWhole && !isBroken(all) ? undefined : broken);
    };
    forward(options, sender, one.request, watch).then(finish, () => {
      queue.end(broken);
      resolve(replyOf(refuse(route, noAnswer)));
    });
  });
}

function wholeAnswer(options: GatewayOptions, one: Translated, sent: Sent): Answered {
  const { response } = sent.exchange;
  // A failure says enough, even where it broke off.
  if (!response || (isBroken(sent) && response.status < 400)) return refuse(options.route, noAnswer);
  return translateAnswer(one, { request: one.request, response }, options);
}

/** Serves until it is closed; UserError where it cannot listen there. */
export async function serveTranslator(options: GatewayOptions): Promise<Listening> {
  const sender = createSender({ ...defaultLimits, maxIdleMs: 300_000 });
  const { route, change } = options;
  const server = await openServer(async (request, left) => {
    if (route.from === route.to && change === noChange) return passThrough(options, sender, request, left);
    const one = translateRequest(request, route, options);
    const lacking = one && unsayable(one.asked, route);
    if (lacking !== undefined) {
      const message = `${route.to} has no word for ${lacking} (${wordOf(lacking, route)}).`;
      return replyOf(refuse(route, { class: "bad-request", message }));
    }
    if (one) return translated(options, sender, one, left);
    return replyOf(refuse(route, { class: "not-found", message: `This is no request of ${route.from}.` }));
  }, options);
  return {
    url: server.url,
    async close() {
      await server.close();
      await sender.close();
    },
  };
}
