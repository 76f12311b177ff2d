/** Sends all questions through a gateway: conversations at the same time, some at once, and last those that gateways end by. */
import { interfaceNamed } from "../check/interface.ts";
import { jsonOf } from "../run/judge/request-failure.ts";
import { takeOver } from "../run/send/captures.ts";
import { createSlots } from "../run/send/slots.ts";
import type { WireRequest, WireResponse } from "../wire/exchange.ts";
import { makeTrip, type TripContext } from "./make-trip.ts";
import type { Conversation, Question, Questions } from "./questions.ts";
import type { Trip } from "./trip.ts";

export interface SendTripsContext extends TripContext {
  /** Conversations at a time. */
  readonly concurrency: number;
  /** Told of every trip that was made, in any order. */
  readonly onTrip: (trip: Trip) => void;
  /** Absent where the gateway cannot be started again. */
  readonly restarts?: Restarts;
}

/** Starts a gateway again that has ended. */
export interface Restarts {
  /** How often it has ended. */
  readonly count: number;
  /**
   * Looks whether it has ended since it had ended so often, and starts it again.
   * @returns how it ended; undefined where it goes on
   */
  after(count: number): Promise<string | undefined>;
}

/** Why the gateway could not be reached any more, and the questions in flight. */
export interface Lost {
  readonly problem: string;
  readonly inFlight: readonly string[];
}

/** How often a gateway is started again before nothing more is asked of it. */
const maxRestarts = 8;

/** Whether an answer with success came, although nothing arrived at the upstream that says so. */
const isUnexplained = ({ client, upstream }: Trip): boolean =>
  upstream.length === 0 && client.response !== null && client.response.status < 300;

/** How many trips may wait in vain alone before the others that did so beside others are taken as they are. */
const maxStalled = 3;

/** Whether the client stopped waiting for the gateway. */
const isStalled = ({ timing }: Trip): boolean => timing?.gaveUp !== undefined;

/** Whether the gateway broke its connection to the client, as one does that ends. */
const isBroken = ({ client }: Trip): boolean => client.aborted === "upstream";

/**
 * Sends all questions. A word in the text of each tells which request arrived because of it; what has no text, what arrived without
 * its word, what was under way when the gateway ended, and what got no answer in time beside others, is asked alone.
 */
export async function sendTrips(questions: Questions, context: SendTripsContext): Promise<Lost | undefined> {
  const { upstream, interfaces, route, concurrency, onTrip, restarts } = context;
  const forms = interfaceNamed(interfaces, route.from)?.forms;
  const isMarked = ({ request }: Question): boolean => forms?.withWord(request, "word") !== undefined;
  const again: { question: Question; request: WireRequest; stalled?: Trip; died?: string | undefined }[] = [];
  /** Ends of the gateway, by how often it had ended before, that a trip already tells. */
  const toldEnds = new Set<number>();
  let stalledAlone = 0;
  let lost: string | undefined;
  const inFlight: string[] = [];

  /**
   * @param alone whether nothing else is under way
   * @param died how the gateway ended while this was under way beside others
   */
  async function ask(
    question: Question,
    request: WireRequest,
    alone: boolean,
    died?: string,
  ): Promise<WireResponse | null> {
    if (lost !== undefined) return null;
    const [strays, count] = [upstream.strays, restarts?.count ?? 0];
    const { trip, response, lost: problem } = await makeTrip(question, request, alone, context);
    const ended = !trip || isBroken(trip) ? await restarts?.after(count) : undefined;
    const isEnough = (restarts?.count ?? 0) > maxRestarts;
    if (isEnough || (!trip && ended === undefined)) {
      lost ??= problem ?? ended ?? "it ended again and again";
      inFlight.push(question.id);
    } else if (ended !== undefined && (!alone || !trip)) {
      again.push({ question, request, died: toldEnds.has(count) ? died : ended });
      toldEnds.add(count);
    } else if (trip && !alone && isUnexplained(trip) && upstream.strays > strays) again.push({ question, request });
    else if (trip && !alone && isStalled(trip)) again.push({ question, request, stalled: trip });
    else if (trip) {
      if (isStalled(trip)) stalledAlone++;
      const how = ended ?? died;
      onTrip(how === undefined ? trip : { ...trip, ended: how });
    }
    return response;
  }

  async function hold({ steps }: Conversation, alone: boolean): Promise<void> {
    const replies: unknown[] = [];
    for (const [i, step] of steps.entries())
      for (const question of step) {
        const bound = takeOver(question.request, question.bind, replies);
        // The recorded conversation still holds together if an earlier answer lacks a value.
        const response = await ask(question, bound.ok ? bound.request : question.request, alone);
        replies[i] ??= (response && jsonOf(response)) ?? undefined;
      }
  }

  const [marked, unmarked] = [true, false].map((is) =>
    questions.conversations.filter(({ steps }) => steps.flat().every(isMarked) === is),
  ) as [Conversation[], Conversation[]];
  const slots = createSlots(concurrency);
  await Promise.all(marked.map((conversation) => slots.within(() => hold(conversation, false))));
  await Promise.all(questions.atOnce.map((question) => ask(question, question.request, !isMarked(question))));
  for (const conversation of unmarked) await hold(conversation, true);
  for (const { question, request, stalled, died } of again)
    if (stalled && stalledAlone >= maxStalled) onTrip(stalled);
    else await ask(question, request, true, died);
  for (const question of questions.breaking) await ask(question, question.request, true);
  return lost === undefined ? undefined : { problem: lost, inFlight };
}
