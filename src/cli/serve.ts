/** `touchstone serve`: the reference implementation on a socket. */
import type { CommandModule } from "yargs";
import { type JudgingArgs, judgingFrom } from "../interfaces/judging.ts";
import { UserError } from "../user-error.ts";
import { isLoopback } from "../wire/callers.ts";
import type { WireRequest } from "../wire/exchange.ts";
import type { Reply } from "../wire/listen.ts";
import { parseListen } from "../wire/listen-address.ts";
import { type CallerArgs, callerOptions, callersFrom, judgingOptions } from "./options.ts";

interface ServeArgs extends JudgingArgs, CallerArgs {
  readonly listen: string;
  readonly break?: readonly string[] | undefined;
  readonly pace: number;
}

export const command: CommandModule<object, ServeArgs> = {
  command: "serve",
  describe: "Serve the reference implementation of all four interfaces",
  builder: (yargs) =>
    callerOptions(judgingOptions(yargs))
      .option("listen", { type: "string", default: "127.0.0.1:0", describe: "HOST:PORT; port 0 takes a free one" })
      .option("break", {
        type: "string",
        array: true,
        requiresArg: true,
        describe: "violate this clause on the wire (repeatable)",
      })
      .option("pace", { type: "number", default: 0, describe: "milliseconds before each stream event" }),
  async handler(args) {
    const at = parseListen(args.listen);
    const { loadCatalogue } = await import("../interfaces/catalogue.ts");
    const { createReference, sdkHeaders } = await import("../reference/reference.ts");
    const { createBreaker } = await import("../prove/break.ts");
    const { forCallers } = await import("../wire/callers.ts");
    const { listen } = await import("../wire/listen.ts");
    const catalogue = await loadCatalogue();
    const { names } = judgingFrom(args, sdkHeaders);
    for (const clause of args.break ?? [])
      if (!catalogue.clauses.some(({ id }) => id === clause))
        throw new UserError(`--break ${clause}: there is no such clause`, "touchstone clauses lists them all.");
    let base = "";
    const reference = createReference(catalogue, () => base, names);
    const told = new Set<string>();
    const broken = createBreaker(catalogue, args.break ?? [], names, ({ clause, strict }) => {
      if (strict.length === 0 || told.has(clause)) return;
      told.add(clause);
      const readings = strict.map((id) => `--reading strict:${id}`).join(" ");
      process.stderr.write(`${clause} is violated, which is seen only with ${readings}.\n`);
    });
    const answer = (request: WireRequest): Reply => {
      const reply = broken(request, reference(request));
      return args.pace > 0
        ? { ...reply, pieces: reply.pieces.map((piece) => ({ ...piece, after: args.pace })) }
        : reply;
    };
    const server = await listen(forCallers(answer, callersFrom(args, at.host)), at).catch(
      (error: NodeJS.ErrnoException) => {
        throw new UserError(`cannot listen on ${args.listen}: ${error.message}`, "Choose another --listen HOST:PORT.");
      },
    );
    base = server.url;
    const stop = (): void => void server.close().then(() => process.exit(0));
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
    // Told last: whoever reads where it listens may end it at once.
    process.stdout.write(`listening on ${server.url}\n`);
    if (!isLoopback(at.host)) process.stderr.write(`Reachable from other machines, since --listen names ${at.host}.\n`);
  },
};
