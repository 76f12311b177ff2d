/** Finds out how an interface of a target is reached, what stands in the way, or that it is not there. */
import { modelOf } from "../interfaces/model.ts";
import { UserError } from "../user-error.ts";
import type { Asked } from "../verdict/asked.ts";
import type { Way } from "../verdict/run-results.ts";
import type { WireResponse } from "../wire/exchange.ts";
import { headerValue } from "../wire/headers.ts";
import type { Sender } from "../wire/send.ts";
import { isMeant, isNotThere, isOdd, saysNoOperation, toNobody } from "./absence.ts";
import { type Asking, askedOf } from "./ask.ts";
import { saysAbsent } from "./incident.ts";
import { type Obstacle, obstacleIn } from "./obstacle.ts";
import type { Recording } from "./recordings.ts";
import { keyFor, retarget } from "./retarget.ts";
import { otherAddresses, otherKeyHeaders } from "./ways.ts";

/** A first question, and how it was answered. */
interface First {
  readonly asked: Asked;
  readonly response: WireResponse;
  readonly operation: string;
  readonly refused: Obstacle | undefined;
}

/** What findings call the first questions of an interface. */
export const firstQuestionsOf = (of: string): string => `smoke-test/${of}`;

/** How far the first questions of an interface came. */
export interface Reached {
  /**
   * `odd`: a good request was refused, and nobody knows why; `locked`: its key is not accepted.
   */
  readonly state: "answers" | "absent" | "odd" | "locked";
  readonly recording: Recording;
  readonly way: Way;
  /** All that was asked. */
  readonly asked: readonly Asked[];
  /** What stands in the way. */
  readonly obstacle?: Obstacle;
}

/** Asks the first request of a recording at an address; what was asked is added to the list. */
const asker =
  (of: string, asked: Asked[], asking: Asking, sender: Sender) =>
  async (one: Recording, way: Way): Promise<First> => {
    const first = await askFirst(one, asked.length, along(way, of, asking), sender);
    asked.push(first.asked);
    return first;
  };

/** Finds out how an interface is reached: as documented first, then at other addresses, then with the key elsewhere. */
export async function reach(recordings: readonly Recording[], asking: Asking, sender: Sender): Promise<Reached> {
  const recording = recordings[0]!;
  const { interface: of } = recording;
  const asked: Asked[] = [];
  const ask = asker(of, asked, asking, sender);
  let way: Way = {};
  let first = await ask(recording, way);
  if (isAbsent(first)) {
    const path = recording.exchanges[0]!.exchange.request.target;
    for (const other of otherAddresses(asking.target.url, path)) {
      const again = await ask(recording, other);
      if (isAbsent(again) || !isMeant(again.response)) continue;
      way = other;
      first = again;
      break;
    }
  }
  const told = (state: Reached["state"], obstacle?: Obstacle): Reached => ({
    state,
    recording,
    way,
    asked,
    ...(obstacle && { obstacle }),
  });
  if (isAbsent(first)) {
    for (const other of recordings.slice(1)) if (!isAbsent(await ask(other, {}))) return told("answers");
    return told("absent");
  }
  if (!first.refused) return told(isOdd(first.response) ? "odd" : "answers");
  const { ofKey, problem, remedy } = first.refused;
  if (!ofKey) throw new UserError(problem, remedy);
  for (const keyHeader of otherKeyHeaders[of] ?? []) {
    const again = await ask(recording, { ...way, keyHeader });
    if (again.refused || isAbsent(again)) continue;
    way = { ...way, keyHeader };
    return told(isOdd(again.response) ? "odd" : "answers");
  }
  return isNotThere(asked) ? told("absent") : told("locked", first.refused);
}

/** How many more good requests have to be refused alike until an interface is taken for one that is not there. */
const mostDoubts = 3;

/**
 * Looks whether an interface that refuses a good request, beside others that answer, is there at all.
 * @param keyHeaders headers in which others take the key
 */
export async function doubt(
  found: Reached,
  all: readonly Recording[],
  keyHeaders: readonly string[],
  asking: Asking,
  sender: Sender,
): Promise<Reached> {
  const { state, recording, way } = found;
  const { interface: of } = recording;
  const asked = [...found.asked];
  const ask = asker(of, asked, asking, sender);
  const { obstacle: _obstacle, ...rest } = found;
  const isLocked = state === "locked";
  const untried = isLocked ? keyHeaders.filter((one) => !otherKeyHeaders[of]?.includes(one)) : [];
  for (const keyHeader of untried) {
    const again = await ask(recording, { ...way, keyHeader });
    if (!again.refused && !isAbsent(again) && !isOdd(again.response))
      return { ...rest, state: "answers", way: { ...way, keyHeader }, asked };
  }
  // Who names a key for it says that it is there.
  if (!isNotThere(asked) && !(isLocked && asking.target.keys[of] !== undefined)) {
    await ask(
      toNobody(recording),
      isLocked && keyHeaders[0] !== undefined ? { ...way, keyHeader: keyHeaders[0] } : way,
    );
    if (isNotThere(asked) && !isLocked) {
      const path = recording.exchanges[0]!.exchange.request.target;
      for (const other of otherAddresses(asking.target.url, path)) {
        const again = await ask(recording, { ...way, ...other });
        if (isMeant(again.response) && !again.refused)
          return { ...rest, state: "answers", way: { ...way, ...other }, asked };
      }
      for (const other of oneOfEachSection(all, recording)) if (isNotThere(asked)) await ask(other, way);
    }
  }
  if (isNotThere(asked)) return { ...rest, state: "absent", asked };
  return isLocked ? { ...found, asked } : { ...rest, state: "answers", asked };
}

/** Recordings of other sections that begin with a good request of the same interface. */
function oneOfEachSection(all: readonly Recording[], { interface: of, section }: Recording): Recording[] {
  const own = all.filter((one) => one.interface === of && one.section !== section && beginsWell(one));
  return own.filter((one, i) => own.findIndex((other) => other.section === one.section) === i).slice(0, mostDoubts);
}

const isAbsent = ({ response, refused, asked }: First): boolean =>
  !refused && (saysAbsent(response) || saysNoOperation(asked));

const along = (way: Way, of: string, { target, ...asking }: Asking): Asking => ({
  ...asking,
  target: { ...target, ways: { ...target.ways, [of]: way } },
});

/** Sends the first request of a recording; UserError where no answer came to it. */
async function askFirst(
  { interface: of, bindings, exchanges }: Recording,
  exchange: number,
  asking: Asking,
  sender: Sender,
): Promise<First> {
  const { target } = asking;
  const recorded = { interface: of, bindings, negative: false };
  const made = retarget(exchanges[0]!.exchange.request, recorded, target, asking.knownModels);
  const sent = await sender.send(made.origin, made.request);
  const { failure } = sent;
  const operation = `${made.request.method} ${made.request.target.split("?", 1)[0]}`;
  if (failure?.kind === "unreachable")
    throw new UserError(
      `${target.url} cannot be reached: ${failure.problem}`,
      /certificate/i.test(failure.problem)
        ? "Have Node trust it (NODE_EXTRA_CA_CERTS=FILE), or accept any certificate with --insecure."
        : "Start the target (--wait SECONDS waits for it), or correct its address; touchstone run without a target judges the embedded one.",
    );
  if (failure?.kind === "unsendable")
    throw new UserError(
      `${operation} cannot be sent: ${failure.problem}`,
      "Look at the headers, the keys and the bindings that are given: names of headers are ASCII, and values have one byte a character.",
    );
  const asked = askedOf(
    sent,
    { source: firstQuestionsOf(of), exchange, interface: of, part: "smoke test" as const },
    made,
    target,
    bindings,
  );
  const { response } = asked.passed;
  if (!response)
    throw new UserError(
      `${target.url} does not answer ${operation}: ${failure?.problem}`,
      `Make sure an HTTP server for ${of} listens there, or choose others with --interface or --lacks ${of}.`,
    );
  const refused = obstacleIn({
    response,
    interface: of,
    operation,
    model: modelOf(made.request),
    keyGiven: keyFor(target, of) !== undefined,
    sent: made.request.headers.map(([name]) => name.toLowerCase()),
    url: target.url,
    location: sent.exchange.response && headerValue(sent.exchange.response.headers, "location"),
  });
  return { asked, response, operation, refused };
}

/** Whether a recording's first request was answered with success. */
export function beginsWell({ violates, exchanges }: Recording): boolean {
  const status = exchanges[0]?.exchange.response?.status ?? 0;
  return violates.length === 0 && status >= 200 && status <= 299;
}
