/** The embedded reference as the upstream of a gateway: keeps what arrives, by the trip that it belongs to, and misbehaves where a trip asks for it. */
import type { Catalogue } from "../check/catalogue.ts";
import { type Finding, lenient } from "../check/clause.ts";
import { keyClausesOf } from "../check/interface.ts";
import { judge } from "../check/judge.ts";
import { namesFrom } from "../check/names.ts";
import { routeOf } from "../check/route.ts";
import { ownAnswers } from "../reference/own.ts";
import { createReference, sdkHeaders } from "../reference/reference.ts";
import { UserError } from "../user-error.ts";
import type { Exchange, WireRequest } from "../wire/exchange.ts";
import type { Reply } from "../wire/listen.ts";
import { openServer } from "../wire/open-server.ts";
import { type Behaviour, behave, type OpenExchange } from "./behaviour.ts";
import { deferred } from "./deferred.ts";

/** The requests that arrive because of one trip. */
export interface Arrivals {
  /** In the order in which it arrived; what is under way, as far as it came. */
  all(): readonly Exchange[];
  /** Resolves at the first request. */
  readonly first: Promise<void>;
  /** Resolves once an exchange was broken off by the gateway; to the Unix milliseconds. */
  readonly left: Promise<number>;
  /** Resolves once nothing is under way. */
  settled(): Promise<void>;
  /** Nothing that comes from now on belongs to the trip. */
  end(): void;
}

export interface GatewayUpstream {
  readonly url: string;
  /**
   * Takes what arrives with a word for a trip.
   * @param word the word in the request's text; undefined where the trip is made alone, so that all that arrives is its own
   */
  expect(word: string | undefined, behaviour?: Behaviour): Arrivals;
  /** Requests that arrived so far. */
  readonly count: number;
  /** Requests so far that no trip expected. */
  readonly strays: number;
  /** Names of the interfaces that requests spoke so far; undefined is a path that none has. */
  readonly spoken: ReadonlySet<string | undefined>;
  close(): Promise<void>;
}

/** One trip's place. */
interface Place extends Arrivals {
  readonly behaviour: Behaviour | undefined;
  add(exchange: OpenExchange): void;
}

function createPlace(behaviour: Behaviour | undefined, end: () => void): Place {
  const exchanges: OpenExchange[] = [];
  const first = deferred<void>();
  const left = deferred<number>();
  return {
    behaviour,
    first: first.promise,
    left: left.promise,
    all: () => exchanges.map((one) => one.exchange()),
    async settled() {
      for (let known = -1; known !== exchanges.length; ) {
        known = exchanges.length;
        await Promise.all(exchanges.map(({ ended }) => ended));
      }
    },
    end,
    add(exchange) {
      exchanges.push(exchange);
      first.resolve();
      void exchange.ended.then((brokenOff) => brokenOff !== undefined && left.resolve(brokenOff));
    },
  };
}

/** The words of trips, as `wordOf` makes them. */
const words = /\btrip-[0-9a-f]{10}\b/g;

/** The reference on a socket. @param listen `HOST:PORT`; UserError where it cannot listen there */
export async function openUpstream(catalogue: Catalogue, listen: string): Promise<GatewayUpstream> {
  const places = new Map<string, Place>();
  let alone: Place | undefined;
  let count = 0;
  let strays = 0;
  let base = "";
  const spoken = new Set<string | undefined>();
  const own = catalogue.own.size > 0 ? await ownAnswers(catalogue) : undefined;
  const names = namesFrom(sdkHeaders);
  const onKeys = keyClausesOf(catalogue.interfaces);
  const isDoor = ({ clause, in: place }: Finding): boolean =>
    onKeys.has(clause) || place === "path" || place === "method";
  const strict = createReference(catalogue, () => base, names, own);
  const generous = createReference(catalogue, () => base, names, own, isDoor);

  /** Whether an answer keeps every rule on answers: one to a faulty request may not. */
  function isGood(request: WireRequest, { status, headers, pieces }: Reply): boolean {
    const body = Buffer.concat(pieces.map(({ bytes }) => bytes));
    const { findings } = judge(
      { request, response: { status, headers, body } },
      { source: "", exchange: 0 },
      catalogue,
      { names, policy: lenient, side: "response" },
    );
    return !findings.some(({ level }) => level === "error");
  }

  /** Answers also what breaks a rule, as far as it can be understood: a refusal would hide all that becomes of answers. */
  function answerTo(request: WireRequest): Reply {
    const refusal = strict(request);
    if (refusal.status < 400) return refusal;
    try {
      const answer = generous(request);
      return isGood(request, answer) ? answer : refusal;
    } catch {
      return refusal;
    }
  }

  function placeOf({ body, target }: WireRequest): Place | undefined {
    const text = `${target} ${Buffer.from(body).toString("latin1")}`;
    for (const [word] of text.matchAll(words)) {
      const place = places.get(word);
      if (place) return place;
    }
    return alone;
  }

  const server = await openServer(
    async (request, left): Promise<Reply> => {
      count++;
      const of = routeOf(catalogue.interfaces, request.method, request.target)?.interface.name;
      spoken.add(of);
      const place = placeOf(request);
      if (!place) strays++;
      const { reply, open } = behave(request, answerTo(request), place?.behaviour, of ?? "", left);
      place?.add(open);
      return reply;
    },
    { listen, allowHost: ["*"], allowOrigin: ["*"] },
  ).catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(
      `the upstream ${error.message}`,
      "Give another --upstream HOST:PORT, or end what listens there; port 0 takes a free one, for --start.",
    );
  });
  base = server.url;
  return {
    url: server.url,
    expect(word, behaviour) {
      if (word === undefined) {
        const place = createPlace(behaviour, () => void (alone = undefined));
        alone = place;
        return place;
      }
      const place = createPlace(behaviour, () => void places.delete(word));
      places.set(word, place);
      return place;
    },
    get count() {
      return count;
    },
    get strays() {
      return strays;
    },
    spoken,
    close: () => server.close(),
  };
}
