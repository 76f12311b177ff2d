/**
 * Drives implementations of EventSource on chat completions. The interface of browsers can only GET, so a fetch or a dispatcher
 * of the driver sends the question as a POST instead. An EventSource connects again when its stream ends: the driver closes it
 * at the end of the answer, and takes an earlier end for what it is.
 */
import type { Driver, Given, Loose, Question } from "./driver.ts";
import { postOf, reading } from "./parsers.ts";

/** What came of an EventSource up to the end of the answer. */
function answerOf(source: Loose, signal: AbortSignal): Promise<Given> {
  const { add, isDone, end } = reading();
  return new Promise<Given>((resolve, reject) => {
    const settle = (outcome: () => Given): void => {
      source.close();
      try {
        resolve(outcome());
      } catch (error) {
        reject(error);
      }
    };
    signal.addEventListener("abort", () => settle(() => raise(signal.reason)), { once: true });
    const take = ({ data }: Loose): void => {
      try {
        add(data);
      } catch (error) {
        settle(() => raise(error));
      }
      if (isDone()) settle(end);
    };
    source.addEventListener("message", take);
    source.addEventListener("error", (event: Loose) => {
      // A server may name an event of its own so: that one has data.
      if (typeof event.data === "string") return take(event);
      const { code: status, message } = event;
      // One that connects again had a stream, which has ended.
      if (source.readyState !== 2 && status === undefined) return settle(end);
      settle(() => raise(Object.assign(new Error(message || "the connection failed"), { status })));
    });
  });
}

function raise(error: unknown): never {
  throw error;
}

const driver = (name: string, open: (sdk: Loose, request: ReturnType<typeof postOf>) => Loose): Driver => ({
  name,
  interface: "chat-completions",
  packages: [name === "eventsource" ? "eventsource" : "undici"],
  form: "stream",
  ask: (sdk, question: Question) => answerOf(open(sdk, postOf(question)), question.deadline),
});

export const eventSourceDrivers: readonly Driver[] = [
  driver("eventsource", ({ EventSource }, { url, headers, ...request }) => {
    const send = (address: string, init: Loose): Promise<Response> =>
      fetch(address, { ...init, ...request, headers: { ...init.headers, ...headers } });
    return new EventSource(url, { fetch: send });
  }),
  driver("undici-eventsource", ({ Agent, EventSource }, { url, method, headers, body }) => {
    // What follows a redirect to another origin stays the package's own request: the key here is not one that it knows.
    const dispatcher = new Agent().compose((dispatch: Loose) => (options: Loose, handler: Loose) => {
      const isOurs = String(options.origin) === new URL(url).origin;
      return dispatch(
        isOurs ? { ...options, method, body, headers: { ...options.headers, ...headers } } : options,
        handler,
      );
    });
    return new EventSource(url, { node: { dispatcher } });
  }),
];
