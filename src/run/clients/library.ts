/** Tries a library that speaks several interfaces with a target: the same scenarios for each of its providers. */
import type { ClientTrial } from "../../verdict/run-results.ts";
import type { Held, HeldCall } from "./held.ts";
import {
  compared,
  comparedEach,
  comparedText,
  type Fetch,
  type Loose,
  parsed,
  type TrialOptions,
  tryOut,
  withoutError,
  wrongText,
} from "./trial.ts";

/** The question of every scenario. */
export const prompt = "What is the weather in Paris?";

/** The tool that scenarios offer. */
export const weather = {
  name: "get_weather",
  description: "Weather of a city",
  parameters: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  },
};

/** A library with one of its providers, as a caller uses it. */
export interface Library {
  /** The client for text; the one for tools is called `NAME-tools`. */
  readonly name: string;
  readonly held: Held;
  /** Throws an error of the library again, in fewer words. */
  readonly rethrow?: (error: unknown) => never;
  readonly text: (fetch: Fetch) => Promise<unknown>;
  readonly streamedText: (fetch: Fetch) => Promise<string>;
  /** Asks for JSON of the tool's schema, and gives it read; the client for it is called `NAME-parse`. Absent where no document has that. */
  readonly structured?: (fetch: Fetch) => Promise<unknown>;
  /** Forces a call, and gives the calls that the library read. */
  readonly streamedCalls: (fetch: Fetch) => Promise<readonly HeldCall[]>;
  /** Forces a call, runs it, and asks once more without force. */
  readonly roundTrip: (fetch: Fetch) => Promise<{ readonly ran: number; readonly text: string }>;
  /** Asks for a value out of range. */
  readonly badRequest: (fetch: Fetch) => Promise<unknown>;
}

const noCall = { unshown: "the model called no tool" };
const cut = { unshown: "the answer was cut at its bound" };

const shown = (calls: readonly HeldCall[]): string[] => calls.map(({ name, input }) => `${name} ${input}`);

/** The status in an error of a library, or in the one that it retried. */
const statusOf = (error: Loose): unknown => error?.status ?? error?.statusCode ?? error?.lastError?.statusCode;

/** Whether an error says what the target said, though with a status of success. */
function isTold(error: unknown, body: Loose): boolean {
  const said = body?.error?.message;
  return typeof said === "string" && said !== "" && String((error as Loose)?.message).includes(said);
}

function rethrowAsIs(error: unknown): never {
  throw error;
}

/** Has one library use one of its providers. */
export async function tryLibrary(
  { name, held, rethrow = rethrowAsIs, structured, ...library }: Library,
  options: TrialOptions,
): Promise<(ClientTrial | undefined)[]> {
  const attempt = (client: string, scenario: string, act: Parameters<typeof tryOut>[4], requests = 1) =>
    tryOut(client, scenario, held.interface, options, (fetch, wire) => act(fetch, wire).catch(rethrow), { requests });
  return [
    await attempt(name, "text", async (fetch, wire) => {
      const text = await library.text(fetch);
      return wrongText("text", text) ?? comparedText(text as string, held.text(parsed(wire.bodies[0])));
    }),
    await attempt(name, "text, streamed", async (fetch, wire) =>
      comparedText(await library.streamedText(fetch), held.streamedText(wire.events())),
    ),
    await attempt(`${name}-tools`, "tools, streamed", async (fetch, wire) => {
      const given = await library.streamedCalls(fetch);
      const events = wire.events();
      const calls = held.streamedCalls(events);
      if (calls.length === 0) return noCall;
      return held.isCut(events) ? cut : comparedEach("calls", shown(given), shown(calls));
    }),
    await attempt(
      `${name}-tools`,
      "tools, round trip",
      async (fetch, wire) => {
        const { ran, text } = await library.roundTrip(fetch);
        const [first, second] = wire.bodies.map(parsed);
        const calls = held.calls(first);
        if (calls.length === 0) return noCall;
        if (held.isCut([first])) return cut;
        if (ran < calls.length) return compared("calls that were run", ran, calls.length);
        if (held.calls(second).length > 0) return { unshown: "the model called again behind the result" };
        return comparedText(text, held.text(second));
      },
      2,
    ),
    structured &&
      (await attempt(`${name}-parse`, "structured output", async (fetch, wire) => {
        const given = await structured(fetch);
        return compared("object", given, parsed(held.text(parsed(wire.bodies[0]))));
      })),
    await attempt(name, "error", async (fetch, wire) => {
      try {
        await library.badRequest(fetch);
      } catch (error) {
        if (Number(statusOf(error)) >= 400 || isTold(error, parsed(wire.bodies.at(-1)))) return undefined;
        throw error;
      }
      return withoutError("a value out of range", wire);
    }),
  ];
}
