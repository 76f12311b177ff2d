/** A judge that does what the paths of exchanges tell it: it stands for whatever may go wrong while judging. */
import { existsSync, writeFileSync } from "node:fs";
import { judge } from "../../check/judge.ts";
import { serveJudge } from "./server.ts";

await serveJudge((exchange, ...rest) => {
  const { pathname, searchParams } = new URL(exchange.request.target, "http://h");
  if (pathname === "/exit") process.exit(3);
  if (pathname === "/throw") throw new TypeError("of what passed");
  if (pathname === "/hang") for (;;);
  const marker = searchParams.get("once");
  if (marker !== null && !existsSync(marker)) {
    writeFileSync(marker, "");
    process.kill(process.pid, "SIGKILL");
  }
  return judge(exchange, ...rest);
});
