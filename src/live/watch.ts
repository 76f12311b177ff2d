/** Sends a page one exchange in flight, again whenever more of it came, as fast as the page reads and no faster than is of use. */
import type { ServerResponse } from "node:http";
import { maxStall, signOfLife } from "./event-stream.ts";
import type { Watched } from "./in-flight.ts";
import type { LiveSession } from "./live-session.ts";
import type { FlightShown } from "./protocol.ts";
import type { Reader } from "./reader.ts";

/** Characters a second at most, since each time all that came is sent. */
const rate = 2 << 20;

export function watch(
  hub: Pick<LiveSession, "flights">,
  flight: number,
  response: ServerResponse,
  reader: Reader,
): void {
  let latest: Watched | undefined;
  let busy = false;
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" });
  response.flushHeaders();

  const eventText = (name: string, json: string): string => `event: ${name}\ndata: ${json}\n\n`;

  /** Resolves when the page has read it, or has left; a page that reads nothing for long is given up. */
  async function write(text: string): Promise<void> {
    if (response.destroyed || response.write(text)) return;
    await new Promise<void>((resolve) => {
      const stalled = setTimeout(() => response.destroy(), maxStall);
      const done = (): void => {
        clearTimeout(stalled);
        response.off("drain", done).off("close", done);
        resolve();
      };
      response.on("drain", done).on("close", done);
    });
  }

  async function show(): Promise<void> {
    if (busy) return;
    busy = true;
    try {
      while (latest && !response.destroyed) {
        const one = latest;
        latest = undefined;
        const exchange = one.exchange();
        if (!exchange) continue;
        const later = one.later();
        const rest: Omit<FlightShown, "exchange"> = { held: one.held(), ...(later !== undefined && { later }) };
        const viewed = await reader.ask("viewOpen", { exchange, id: one.id });
        const text = eventText("shown", `{"exchange":${viewed},${JSON.stringify(rest).slice(1)}`);
        await write(text);
        await new Promise((resolve) => setTimeout(resolve, (1000 * text.length) / rate));
      }
    } catch {
      response.destroy();
    } finally {
      busy = false;
    }
  }

  const stop = hub.flights.watch(flight, {
    changed(watched) {
      latest = watched;
      void show();
    },
    ended(exchange) {
      void write(eventText("ended", JSON.stringify(exchange ?? null))).then(() => response.end());
    },
  });
  const pulse = signOfLife(() => !busy && response.write(":\n\n"));
  response.on("close", () => {
    clearInterval(pulse);
    stop();
  });
}
