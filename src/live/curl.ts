/** Writes a recorded request as a curl command, with a variable in place of the key that no recording keeps. */
import { bodyFileIn, curlOf } from "../run/send/curl.ts";
import { droppedHeaders } from "../run/send/retarget.ts";
import type { Exchange } from "../wire/exchange.ts";

/** Redaction leaves this in place of a key. */
const placeholder = "[redacted]";

/** Bytes of a body that a command holds: Linux takes 128 KiB in one argument. */
const maxBody = 64 << 10;

/** The command; undefined where the recording does not hold the whole request. */
export function curlForRecorded({ origin, request }: Exchange): string | undefined {
  const isWhole = request.cut === undefined && !request.redacted?.some((place) => /^\/(?:body|path)\b/.test(place));
  if (origin === undefined || !isWhole) return undefined;
  const headers = request.headers.filter(([name]) => !droppedHeaders.test(name.toLowerCase()));
  const secrets = [{ value: placeholder, variable: "TOUCHSTONE_KEY" }];
  const command = curlOf(origin, { ...request, headers }, secrets, maxBody);
  return command === undefined || bodyFileIn(command) !== undefined ? undefined : command;
}
