/** Resends a recorded request, to the upstream through the recorder or to another service. */
import type { Interface, KeyPlace } from "../check/interface.ts";
import { type Bindings, joinBindings, namesFrom } from "../check/names.ts";
import { patternsFrom } from "../redact/patterns.ts";
import { redact } from "../redact/redact.ts";
import { placesOf, type Target } from "../run/plan/target.ts";
import { baseUrl } from "../run/plan/target-options.ts";
import { isKeyHeader, keyFor, mayHoldKey, retarget } from "../run/send/retarget.ts";
import { isLong, secretsOf } from "../run/send/secrets.ts";
import { UserError } from "../user-error.ts";
import type { Exchange, WireRequest } from "../wire/exchange.ts";
import { createSender } from "../wire/send.ts";

export interface Resend {
  /** Sends a request again. Returns the redacted exchange; `failure` is the reason if the response is incomplete. */
  send(
    asked: { readonly request: WireRequest; readonly interface: string },
    to: string,
  ): Promise<{ readonly exchange: Exchange; readonly failure?: string }>;
  close(): Promise<void>;
}

export interface AgainOptions {
  /** Credentials by interface; `*` is the default. */
  readonly keys: Readonly<Record<string, string>>;
  readonly bindings: readonly Bindings[];
  /** Known interfaces. */
  readonly interfaces: readonly Interface[];
  readonly keepHeaders: readonly string[];
  /** Sources of regular expressions for additional secrets. */
  readonly redact: readonly string[];
}

const limits = { maxIdleMs: 60_000, maxTimeMs: 600_000, maxBodyBytes: 16 << 20 };

/** Maximum number of requests in flight. */
const maxAtOnce = 4;

/** Returns the reason a request cannot be resent unchanged, or undefined. */
function obstacleOf(
  { cut, redacted = [] }: WireRequest,
  key: string | undefined,
  of: string,
  at: KeyPlace | undefined,
): UserError | undefined {
  if (cut !== undefined)
    return new UserError("only the beginning of this request was kept", "Send it from its client once more.");
  const lost = redacted.find((place) => /^\/(?:body|path)\b/.test(place));
  if (lost !== undefined)
    return new UserError(
      `credentials were taken out of the ${lost.slice(1, 5)} of this request, so it cannot be sent as it was`,
      "Send it from its client once more.",
    );
  if (key !== undefined || !redacted.some((place) => mayHoldKey(place, at))) return undefined;
  const variable = of === "" ? "TOUCHSTONE_KEY" : `TOUCHSTONE_KEY_${of.toUpperCase().replaceAll("-", "_")}`;
  return new UserError(
    "this request carried a credential, and recordings keep none",
    `Start touchstone record with the key in the environment: TOUCHSTONE_KEY${variable === "TOUCHSTONE_KEY" ? "" : ` or ${variable}`}.`,
  );
}

export function createResend({ keys, bindings, interfaces, keepHeaders, redact: sources }: AgainOptions): Resend {
  const places = placesOf(interfaces);
  // `--insecure` applies to the upstream only. Its requests go through the recorder.
  const sender = createSender(limits);
  const patterns = patternsFrom(sources).map((source) => new RegExp(source, "i"));
  const names = namesFrom(...bindings);
  const kept = [...names.ownHeaders.map(({ own }) => own), ...keepHeaders];
  let underWay = 0;
  return {
    async send({ request, interface: of }, to) {
      const url = baseUrl(to, "send again");
      // Sends the key in the header that the client used.
      const at = places[of]?.key;
      const keyHeader = request.headers.find(([name]) => isKeyHeader(name, at))?.[0].toLowerCase();
      const overrides = keyHeader === undefined ? {} : { [of]: { keyHeader } };
      const target: Target = { url, keys, bindings, models: {}, headers: [], lacks: [], overrides, places };
      const obstacle = obstacleOf(request, keyFor(target, of), of, at);
      if (obstacle) throw obstacle;
      if (underWay === maxAtOnce)
        throw new UserError(`${maxAtOnce} requests are under way already`, "Wait until one is answered.");
      underWay++;
      try {
        const recorded = { interface: of, bindings: joinBindings(bindings), negative: false };
        const made = retarget(request, recorded, target, new Set());
        const { redacted: _before, ...plain } = made.request;
        const { exchange, failure } = await sender.send(made.origin, plain);
        const secrets = secretsOf(target)
          .filter(isLong)
          .map(({ value }) => value);
        return {
          exchange: redact(exchange, { secrets, patterns, keepHeaders: kept }),
          ...(failure && { failure: failure.problem }),
        };
      } finally {
        underWay--;
      }
    },
    close: () => sender.close(),
  };
}
