/** `touchstone serve`: the reference implementation on a socket. */
import type { CommandModule } from "yargs";
import type { JudgingArgs } from "../interfaces/judging.ts";
import { parseListen } from "../wire/listen-address.ts";
import { type CallerArgs, callerOptions, judgingOptions, tellAddress } from "./options.ts";

interface ServeArgs extends JudgingArgs, CallerArgs {
  readonly listen: string;
  readonly break?: readonly string[] | undefined;
  readonly case?: string | undefined;
  readonly pace: number;
  readonly gateway?: string | undefined;
  readonly upstream?: string | undefined;
  readonly breakFact?: readonly string[] | undefined;
}

export const command: CommandModule<object, ServeArgs> = {
  command: "serve",
  describe: "Serve the reference implementation of all four interfaces",
  builder: (yargs) =>
    callerOptions(judgingOptions(yargs))
      .option("listen", { type: "string", default: "127.0.0.1:0", describe: "HOST:PORT; port 0 picks a free port" })
      .option("break", {
        type: "string",
        array: true,
        requiresArg: true,
        describe: "violate this clause on the wire (repeatable)",
      })
      .option("case", {
        type: "string",
        requiresArg: true,
        conflicts: ["break", "gateway"],
        describe: "answer as this case has it: stream/crlf; touchstone client --list lists them",
      })
      .option("pace", { type: "number", default: 0, describe: "milliseconds before each stream event" })
      .option("gateway", {
        type: "string",
        requiresArg: true,
        describe: "translate instead: FROM=TO, the interfaces of the clients and of the upstream",
      })
      .option("upstream", {
        type: "string",
        requiresArg: true,
        describe: "with --gateway: the base URL of the upstream",
      })
      .option("break-fact", {
        type: "string",
        array: true,
        nargs: 1,
        describe: "with --gateway: break this fact (repeatable); NAME=drop, change or invent",
      }) as never,
  async handler(args) {
    if (args.gateway !== undefined || args.upstream !== undefined || args.breakFact !== undefined) {
      const { serveGateway } = await import("./serve-gateway.ts");
      await serveGateway(args);
      return;
    }
    const { host } = parseListen(args.listen);
    const { openCatalogue } = await import("../interfaces/catalogue.ts");
    const { judgingFrom } = await import("../interfaces/judging.ts");
    const { sdkHeaders } = await import("../reference/reference.ts");
    const { serveReference } = await import("../reference/serve.ts");
    const { createBreaker } = await import("../prove/break.ts");
    const catalogue = await openCatalogue(args.documents);
    if (args.case !== undefined) {
      const { serveCase } = await import("../cases/library.ts");
      return serveUntilStopped(await serveCase(catalogue, args.case, args), host);
    }
    const { names } = judgingFrom(args, catalogue, sdkHeaders);
    const mentioned = new Set<string>();
    const change = createBreaker(catalogue, args.break ?? [], names, ({ clause, strict }) => {
      if (strict.length === 0 || mentioned.has(clause)) return;
      mentioned.add(clause);
      const readings = strict.map((id) => `--reading strict:${id}`).join(" ");
      process.stderr.write(`${clause} is violated, which is seen only with ${readings}.\n`);
    });
    const server = await serveReference(catalogue, { ...args, names, change });
    serveUntilStopped(server, host);
  },
};

function serveUntilStopped(server: { readonly url: string; close(): Promise<void> }, host: string): void {
  const stop = (): void => void server.close().then(() => process.exit(0));
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  tellAddress(server.url, host);
}
