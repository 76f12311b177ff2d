/** Starts a gateway by a command, once its upstream listens, and ends it with all the processes that it started. */
import { type ProgramEnd, startProgram } from "../program/program.ts";
import { untilListening } from "../run/reach/wait.ts";
import { UserError } from "../user-error.ts";

/** A gateway that was started. */
export interface Started {
  /** How it ended, and what it printed last; undefined as long as it runs. */
  ended(): string | undefined;
  /** Resolves when it has ended. */
  readonly over: Promise<void>;
  /** Ends it and what it started; may be called again. */
  end(): Promise<void>;
}

const place = "{upstream}";

/** A text with the address in place of its stand-in; behind a scheme, the host and port alone. */
export function withUpstream(text: string, upstream: string): string {
  const host = upstream.replace(/^https?:\/\//, "");
  return text.replaceAll(`://${place}`, `://${host}`).replaceAll(place, upstream);
}

/** Variables of a gateway that tell it the address: those in which it has its stand-in, and `UPSTREAM`. */
export function environmentWith(environment: NodeJS.ProcessEnv, upstream: string): Readonly<Record<string, string>> {
  const filled = Object.entries(environment).flatMap(([name, value = ""]) =>
    value.includes(place) ? [[name, withUpstream(value, upstream)]] : [],
  );
  return { ...Object.fromEntries(filled), UPSTREAM: upstream };
}

/** The last lines of what a gateway printed. */
function lastLines({ stdout, stderr }: ProgramEnd): string {
  const said = [stderr, stdout].map(({ bytes }) => bytes.toString("utf8").trim()).find((text) => text !== "") ?? "";
  return said
    .split(/\s*\n\s*/)
    .slice(-3)
    .join(" | ")
    .slice(-maxSaid);
}

/** Characters of what it said that are told. */
const maxSaid = 400;

const howItEnded = (end: ProgramEnd): string => {
  const said = lastLines(end);
  const how = end.signal ? `was ended by ${end.signal}` : `ended with exit code ${end.exitCode}`;
  return said === "" ? how : `${how}: ${said}`;
};

/**
 * Starts it and waits until it listens.
 * @param command run by the shell
 * @param upstream `http://HOST:PORT`
 * @param url where the gateway is to listen
 * @param seconds to wait for that
 * @throws UserError where it ends before, or does not listen in time
 */
export async function startGateway(command: string, upstream: string, url: string, seconds: number): Promise<Started> {
  const program = await startProgram(["sh", "-c", withUpstream(command, upstream)], {
    stdio: "capture",
    env: [environmentWith(process.env, upstream)],
  });
  let how: string | undefined;
  const over = program.ended.then((end) => void (how = howItEnded(end)));
  // A wait that goes on would hold the process.
  const waiting = new AbortController();
  try {
    const isThere = await Promise.race([
      untilListening(url, seconds, waiting.signal).then(() => true),
      over.then(() => false),
    ]);
    if (!isThere)
      throw new UserError(
        `--start ${command}: it ${how}`,
        `It has to listen on ${url}. Its upstream is ${upstream}, which {upstream} in the command stands for.`,
      );
  } catch (error) {
    await program.end();
    throw error;
  } finally {
    waiting.abort();
  }
  return { ended: () => how, over, end: () => program.end() };
}
