/** Cases by time: whatever a running program asks is answered as the current case has it, until the next one's turn. */
import { setTimeout as sleep } from "node:timers/promises";
import { routeOf } from "../../../check/route.ts";
import type { Program, ProgramEnd } from "../../../program/program.ts";
import type { WireRequest } from "../../../wire/exchange.ts";
import { caseNamed } from "../../all-cases.ts";
import type { Handed } from "../../observation.ts";
import { openOrigins } from "../../server/origins.ts";
import type { Trial } from "../../server/trial.ts";
import { graceToEnd, maxOutput, startClient } from "../program-client.ts";
import type { Planned } from "../run-cases.ts";
import { caseKey, casePrompt } from "../try-case.ts";
import { type Besides, evidenceOf, type OnceContext, trialFor } from "./by-name.ts";
import { createTail } from "./tail.ts";

/** Milliseconds between two looks at whether a case has lasted long enough. */
const lookPause = 20;

/** Milliseconds after a turn in which its answers may still come out; the turn itself, where that is shorter. */
const maxGrace = 1_000;

/** Cases in a row that nobody asks for, after which a program asks no more. */
const maxUnasked = 3;

/** A case has its turn: all that was asked meanwhile. */
interface Turn {
  readonly trials: Map<string, Trial>;
  readonly planned: readonly Planned[];
  firstAsked: number | undefined;
  /** Its answers may still come out, and further requests get the plain one. */
  isOver: boolean;
}

/**
 * Gives each case its turn. A turn lasts `every` milliseconds from its first request on, and longer while an answer is being sent.
 * @param turns one case each, in some interfaces; the next is asked for when the one before is over
 */
export async function tryByTime(
  context: OnceContext & { readonly every: number },
  turns: Iterable<readonly Planned[]>,
  besides: Besides,
): Promise<void> {
  const { catalogue, command, timeout, every, signal, tried } = context;
  const stray = trialFor(context, { one: caseNamed("plain"), interface: "chat-completions" });
  let turn: Turn | undefined;

  function trialOf({ method, target }: WireRequest): Trial {
    const name = routeOf(catalogue.interfaces, method, target)?.interface.name;
    const { trials, planned, isOver } = turn!;
    const own = planned.find((one) => one.interface === name);
    if (!own || isOver) return stray;
    turn!.firstAsked ??= performance.now();
    const known = trials.get(own.interface);
    if (known) return known;
    const trial = trialFor(context, own);
    trials.set(own.interface, trial);
    return trial;
  }

  const [output, errors] = [createTail(maxOutput), createTail(maxOutput)];
  const origins = await openOrigins({ trialOf });
  let program: Program | undefined;
  let ended: ProgramEnd | undefined;
  async function startIfEnded(): Promise<void> {
    if (program && !ended) return;
    ended = undefined;
    const values = { base_url: origins.url, key: caseKey, prompt: casePrompt };
    const own = await startClient(command, catalogue.interfaces, values, (from, bytes) =>
      (from === "stdout" ? output : errors).add(bytes),
    );
    program = own;
    void own.ended.then((end) => {
      if (program === own) ended = end;
    });
  }

  /** Whether a turn goes on. */
  function lasts({ trials, firstAsked }: Turn, started: number): boolean {
    if (signal?.aborted || ended) return false;
    const now = performance.now();
    if (firstAsked === undefined) return now - started < timeout;
    const isSending = [...trials.values()].some((trial) => trial.isSending());
    return now - firstAsked < every || (isSending && now - firstAsked < timeout);
  }

  try {
    let idle = 0;
    for (const planned of turns) {
      if (signal?.aborted || idle >= maxUnasked) break;
      turn = { trials: new Map(), planned, firstAsked: undefined, isOver: false };
      output.take();
      errors.take();
      await startIfEnded();
      const started = performance.now();
      while (lasts(turn, started)) await sleep(lookPause);
      turn.isOver = true;
      if (!ended) await sleep(Math.min(every, maxGrace));
      if (signal?.aborted) break;
      const { exitCode = 0, signal: by } = ended ?? {};
      const said = { output: output.take(), errors: errors.take() };
      besides.printed = said;
      const handed: Omit<Handed, "after"> =
        exitCode === 0 ? { ...said, end: "unseen" } : { ...said, end: "exited", exitCode, ...(by && { signal: by }) };
      const after = Math.round(performance.now() - started);
      const { trials, firstAsked } = turn;
      idle = firstAsked === undefined ? idle + 1 : 0;
      // An answer that never ends is done with: the next case is to be asked for.
      for (const trial of trials.values()) if (trial.isSending()) origins.drop(trial);
      for (const one of planned) {
        const trial = firstAsked === undefined ? undefined : trials.get(one.interface);
        if (trial && !tried(evidenceOf(trial, handed, after))) return;
      }
    }
  } finally {
    await program?.end(graceToEnd);
    await origins.close();
  }
}
