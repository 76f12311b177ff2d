/** Finds out how an interface of a target is reached, what stands in the way, or that it is not there. */
import { type Interface, interfaceNamed } from "../../check/interface.ts";
import { namesFrom } from "../../check/names.ts";
import { modelOf } from "../../interfaces/model.ts";
import { UserError } from "../../user-error.ts";
import type { EndpointOverride } from "../../verdict/run-results.ts";
import type { SentRecord } from "../../verdict/sent-record.ts";
import type { WireRequest, WireResponse } from "../../wire/exchange.ts";
import { headerValue } from "../../wire/headers.ts";
import type { Sender } from "../../wire/send.ts";
import { saysAbsent } from "../judge/request-failure.ts";
import type { Recording } from "../plan/recordings.ts";
import { otherAddresses } from "../send/endpoint-overrides.ts";
import { keyFor, retarget } from "../send/retarget.ts";
import { saysLater } from "../send/retry.ts";
import { recordOf, type SendContext } from "../send/send-cassette.ts";
import { isMeant, isNotThere, isOdd, saysNoOperation, toNobody } from "./absence.ts";
import { type Obstacle, obstacleIn } from "./diagnose.ts";
import { listedModels, listText, textModels, UnknownModel } from "./listed-models.ts";

/** A first question, and how it was answered. */
interface First {
  /** The request as it was sent, with its credentials. */
  readonly request: WireRequest;
  readonly record: SentRecord;
  readonly response: WireResponse;
  readonly operation: string;
  readonly refused: Obstacle | undefined;
}

/** The source by which findings name the smoke test of an interface. */
export const smokeTestSource = (of: string): string => `smoke-test/${of}`;

/** How far the first questions of an interface came. */
export interface Reached {
  /**
   * `odd`: a good request got no answer like those of its document, and nobody knows why; `locked`: its key is not accepted, or it is
   * sent elsewhere; `limited`: it said "later" however often it was asked.
   */
  readonly state: "answers" | "absent" | "odd" | "locked" | "limited";
  readonly recording: Recording;
  /** One a path. */
  readonly recordings: readonly Recording[];
  readonly override: EndpointOverride;
  /** All that was asked. */
  readonly sent: readonly SentRecord[];
  /** The obstacle in the way. */
  readonly obstacle?: Obstacle;
}

/** Asks the first request of a recording at an address; what was asked is added to the list. */
const firstSender =
  (of: string, sent: SentRecord[], context: SendContext, sender: Sender) =>
  async (one: Recording, way: EndpointOverride): Promise<First> => {
    const first = await sendFirst(one, sent.length, along(way, of, context), sender);
    sent.push(first.record);
    return first;
  };

/**
 * Finds out how an interface is reached: as documented first, at any of its paths, then at other addresses, then with the key elsewhere.
 * @param recordings one a path, the one that needs least first
 */
export async function reach(
  recordings: readonly Recording[],
  context: SendContext,
  interfaces: readonly Interface[],
  sender: Sender,
): Promise<Reached> {
  const { interface: of } = recordings[0]!;
  const described = interfaceNamed(interfaces, of);
  const records: SentRecord[] = [];
  const ask = firstSender(of, records, context, sender);
  const reachedAs = (
    recording: Recording,
    state: Reached["state"],
    override: EndpointOverride,
    obstacle?: Obstacle,
  ): Reached => ({
    state,
    recording,
    recordings,
    override,
    sent: records,
    ...(obstacle && { obstacle }),
  });
  const opened = (recording: Recording, { response }: First, way: EndpointOverride): Reached =>
    reachedAs(recording, saysLater(response) ? "limited" : isOdd(response, described) ? "odd" : "answers", way);
  const closed: (readonly [Recording, First])[] = [];
  for (const recording of recordings) {
    const first = await ask(recording, {});
    // A refusal of one path says nothing of an interface if its other paths answer.
    if (isOpen(first) && !saysLater(first.response)) return opened(recording, first, {});
    if (first.refused?.ofModel) throw await unknownModel(first.refused, first.request, recording, context, sender);
    if (first.refused && !first.refused.ofKey && !first.refused.isRedirection)
      throw new UserError(first.refused.problem, first.refused.remedy);
    closed.push([recording, first]);
  }
  const limited = closed.find(([, first]) => isOpen(first));
  if (limited) return reachedAs(limited[0], "limited", {});
  const refusing = closed.find(([, { refused }]) => refused);
  if (!refusing) {
    for (const way of otherAddresses(context.target.url, closed[0]![0].exchanges[0]!.exchange.request.target))
      for (const recording of recordings) {
        const again = await ask(recording, way);
        if (isOpen(again) && isMeant(again.response, described)) return opened(recording, again, way);
        if (again.refused?.ofKey) return tryKeys(recording, again.refused, way);
      }
    return reachedAs(closed[0]![0], "absent", {});
  }
  const [recording, { refused }] = refusing;
  return refused!.ofKey ? tryKeys(recording, refused!, {}) : reachedAs(recording, "locked", {}, refused);

  async function tryKeys(locked: Recording, obstacle: Obstacle, at: EndpointOverride): Promise<Reached> {
    for (const keyHeader of described?.key?.otherHeaders ?? [])
      for (const recording of recordings) {
        const way = { ...at, keyHeader };
        const again = await ask(recording, way);
        if (isOpen(again)) return opened(recording, again, way);
      }
    return isNotThere(records, interfaces)
      ? reachedAs(locked, "absent", at)
      : reachedAs(locked, "locked", at, obstacle);
  }
}

/** The error for a rejected model, with what the target lists. @param request the rejected one, whose headers the list needs, too */
async function unknownModel(
  { problem, remedy }: Obstacle,
  request: WireRequest,
  { interface: of, bindings, exchanges }: Recording,
  { target }: SendContext,
  sender: Sender,
): Promise<UnknownModel> {
  const place = target.places[of]?.model;
  const rejected = modelOf(request, place);
  const recorded = modelOf(exchanges[0]!.exchange.request, place);
  const ids = await listedModels(target.url, request.headers, sender);
  // `--model ID` is for text alone.
  const isForText = recorded === undefined || namesFrom(bindings).modelKind(recorded) === undefined;
  const fitting = isForText ? textModels(ids) : ids;
  const [only, ...others] = fitting;
  const isUsable = only !== undefined && others.length === 0 && rejected === recorded && only !== rejected;
  const instead = isForText ? only : `${of}=${only}`;
  return new UnknownModel(problem, `${remedy}${listText(fitting)}`, isUsable ? instead : undefined);
}

/** How many more good requests have to be refused alike until an interface is taken for one that is not there. */
const maxDoubts = 3;

/**
 * Looks whether an interface that refuses a good request, beside others that answer, is there at all.
 * @param keyHeaders headers in which others take the key
 */
export async function doubt(
  found: Reached,
  all: readonly Recording[],
  keyHeaders: readonly string[],
  context: SendContext,
  interfaces: readonly Interface[],
  sender: Sender,
): Promise<Reached> {
  const { state, recording, override } = found;
  const { interface: of } = recording;
  const described = interfaceNamed(interfaces, of);
  const records = [...found.sent];
  const ask = firstSender(of, records, context, sender);
  const { obstacle: _obstacle, ...rest } = found;
  const isLocked = state === "locked";
  const isOfKey = found.obstacle?.ofKey === true;
  const untried = isOfKey ? keyHeaders.filter((one) => !described?.key?.otherHeaders?.includes(one)) : [];
  for (const keyHeader of untried)
    for (const other of found.recordings) {
      const again = await ask(other, { ...override, keyHeader });
      if (isOpen(again) && !isOdd(again.response, described))
        return { ...rest, state: "answers", override: { ...override, keyHeader }, sent: records };
    }
  // A key that is given for an interface says that the interface is there.
  if (!isNotThere(records, interfaces) && !(isOfKey && context.target.keys[of] !== undefined)) {
    await ask(
      toNobody(recording),
      isOfKey && keyHeaders[0] !== undefined ? { ...override, keyHeader: keyHeaders[0] } : override,
    );
    if (isNotThere(records, interfaces) && !isLocked) {
      const path = recording.exchanges[0]!.exchange.request.target;
      for (const other of otherAddresses(context.target.url, path)) {
        const again = await ask(recording, { ...override, ...other });
        if (isMeant(again.response, described) && !again.refused)
          return { ...rest, state: "answers", override: { ...override, ...other }, sent: records };
      }
      for (const other of oneOfEachSection(all, recording))
        if (isNotThere(records, interfaces)) await ask(other, override);
    }
  }
  if (isNotThere(records, interfaces)) return { ...rest, state: "absent", sent: records };
  return isLocked || state === "limited" ? { ...found, sent: records } : { ...rest, state: "answers", sent: records };
}

/** Recordings of other sections that begin with a good request of the same interface. */
function oneOfEachSection(all: readonly Recording[], { interface: of, section }: Recording): Recording[] {
  const own = all.filter((one) => one.interface === of && one.section !== section && beginsWell(one));
  return own.filter((one, i) => own.findIndex((other) => other.section === one.section) === i).slice(0, maxDoubts);
}

/** Whether somebody answers there, well or not. */
const isOpen = (first: First): boolean => !first.refused && !isAbsent(first);

const isAbsent = ({ response, refused, record }: First): boolean =>
  !refused && (saysAbsent(response) || saysNoOperation(record));

const along = (way: EndpointOverride, of: string, { target, ...asking }: SendContext): SendContext => ({
  ...asking,
  target: { ...target, overrides: { ...target.overrides, [of]: way } },
});

/** Sends the first request of a recording; UserError where no answer came to it. */
async function sendFirst(
  { interface: of, bindings, exchanges }: Recording,
  exchange: number,
  asking: SendContext,
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
  const record = recordOf(
    sent,
    { source: smokeTestSource(of), exchange, interface: of, part: "smoke test" as const },
    made,
    asking,
    bindings,
  );
  const { response } = record.passed;
  if (!response)
    throw new UserError(
      `${target.url} does not answer ${operation}: ${failure?.problem}`,
      `Make sure an HTTP server for ${of} listens there, or choose others with --interface or --lacks ${of}.`,
    );
  const refused = obstacleIn({
    response,
    interface: of,
    operation,
    model: modelOf(made.request, target.places[of]?.model),
    keyGiven: keyFor(target, of) !== undefined,
    sent: made.request.headers.map(([name]) => name.toLowerCase()),
    url: target.url,
    location: sent.exchange.response && headerValue(sent.exchange.response.headers, "location"),
  });
  return { request: made.request, record, response, operation, refused };
}

/** Whether a recording's first request was answered with success. */
export function beginsWell({ violates, exchanges }: Recording): boolean {
  const status = exchanges[0]?.exchange.response?.status ?? 0;
  return violates.length === 0 && status >= 200 && status <= 299;
}
