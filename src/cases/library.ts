/** Cases in the tests of others: a server that answers as one case has it, and what a client made of it. */
import type { Catalogue } from "../check/catalogue.ts";
import { routeOf } from "../check/route.ts";
import { didYouMean } from "../check/suggest.ts";
import { UserError } from "../user-error.ts";
import type { Exchange } from "../wire/exchange.ts";
import { parseListen } from "../wire/listen-address.ts";
import type { ServerOptions } from "../wire/open-server.ts";
import { caseNamed, casesOf } from "./all-cases.ts";
import { createAnswers } from "./answers.ts";
import type { Case } from "./case.ts";
import type { CaseKind, CaseResult } from "./document.ts";
import { everyInterface, type InterfaceName } from "./interface-names.ts";
import { judgeCase } from "./judge/judge-case.ts";
import type { Handed, HandedCall } from "./observation.ts";
import { newSeed } from "./run/try-case.ts";
import { openOrigins } from "./server/origins.ts";
import { createTrial } from "./server/trial.ts";

/** A case as tests list it. */
export interface ListedCase {
  /** Its id, for `serve({ case })`. */
  readonly case: string;
  readonly interface: string;
  readonly kind: CaseKind;
  /** One sentence: how the server answers. */
  readonly says: string;
  readonly restsOn: readonly string[];
  /** Whether a request has to ask for a stream, or for a whole reply, to be answered so; absent where either will do. */
  readonly stream?: boolean;
  /** Whether a request has to offer tools. */
  readonly tools: boolean;
}

const listed = (one: Case, name: string): ListedCase => ({
  case: one.id,
  interface: name,
  kind: one.kind,
  says: one.says,
  restsOn: one.restsOn,
  ...(one.form && { stream: one.form === "stream" }),
  tools: one.needs === "tools" || one.offersTools === true,
});

/** An interface by its name; UserError for any other. */
export function interfaceOf(name: string): InterfaceName {
  const known = everyInterface.find((one) => one === name);
  if (known) return known;
  throw new UserError(
    `there are no cases of ${name}`,
    `${didYouMean(name, everyInterface)}Interfaces are ${everyInterface.join(", ")}.`,
  );
}

/** The cases of an interface, in the order in which reports list them. @param patterns such as `stream/*`; all unless said */
export const listCases = (name: string, patterns: readonly string[] = []): ListedCase[] => {
  const known = interfaceOf(name);
  return casesOf(known, patterns).map((one) => listed(one, known));
};

/** The result of a client: the text of the answer, or more. */
export type ClientAnswer =
  | string
  | { readonly text?: string; readonly calls?: readonly HandedCall[]; readonly finish?: string };

export interface CaseServer {
  /** `http://HOST:PORT` */
  readonly url: string;
  /** The first hundred requests so far, without credentials. */
  readonly exchanges: readonly Exchange[];
  /**
   * Has a client ask, and tells what it made of the answer. An error that it raises is no error here.
   * @param ask asks the server, and gives back the text of the answer
   * @param options `timeout`: milliseconds the client may take, 30 seconds unless said
   */
  outcome(
    ask: (signal: AbortSignal) => ClientAnswer | Promise<ClientAnswer>,
    options?: { readonly timeout?: number },
  ): Promise<CaseResult>;
  /** Breaks off what is under way and stops listening. */
  close(): Promise<void>;
}

const defaultTimeout = 30_000;

/** The client's result, as observations have it. */
async function handedBy(ask: Promise<ClientAnswer>, signal: AbortSignal): Promise<Omit<Handed, "after">> {
  const late = new Promise<Omit<Handed, "after">>((resolve) =>
    signal.addEventListener("abort", () => resolve({ end: "killed" })),
  );
  const asked = ask.then(
    (answer): Omit<Handed, "after"> => ({
      ...(typeof answer === "string" ? { text: answer } : answer),
      error: null,
      end: "returned",
    }),
    (thrown: unknown): Omit<Handed, "after"> => {
      const error: Error & { status?: unknown } = thrown instanceof Error ? thrown : new Error(String(thrown));
      const { name, message, status } = error;
      return { error: { name, message, ...(typeof status === "number" && { status }) }, end: "threw" };
    },
  );
  return Promise.race([asked, late]);
}

/** Answers every request as a case has it, until it is closed. Throws UserError where there is no such case, or no such place. */
export async function serveCase(catalogue: Catalogue, id: string, options: ServerOptions = {}): Promise<CaseServer> {
  const { listen = "127.0.0.1:0", allowHost: hosts, allowOrigin: allowed } = options;
  const one = caseNamed(id);
  const answers = createAnswers(catalogue);
  const [name] = one.interfaces as readonly [InterfaceName];
  const seed = newSeed();
  const trial = createTrial(one, name, seed, answers(one, seed));
  const at = parseListen(listen);
  const callers = { host: at.host, hosts, origins: allowed };
  const origins = await openOrigins({ ...at, callers, trialOf: () => trial }).catch((error: NodeJS.ErrnoException) => {
    throw new UserError(`cannot listen on ${listen}: ${error.message}`, "Choose another HOST:PORT.");
  });
  return {
    url: origins.url,
    get exchanges() {
      return trial.exchanges();
    },
    async outcome(ask, { timeout = defaultTimeout } = {}) {
      const signal = AbortSignal.timeout(timeout);
      const started = performance.now();
      const handed = await handedBy((async () => ask(signal))(), signal);
      const after = Math.round(performance.now() - started);
      const exchanges = trial.exchanges();
      const asked = exchanges.map(({ request: { method, target } }) => routeOf(catalogue.interfaces, method, target));
      const own = asked.find((route) => one.interfaces.some((other) => other === route?.interface.name));
      const seen = { ...trial.observation({ ...handed, after }), interface: own?.interface.name ?? name };
      return judgeCase(answers, one, seen, exchanges);
    },
    close: origins.close,
  };
}
