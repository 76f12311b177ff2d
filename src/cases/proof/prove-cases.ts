/** Proves the cases: a correct client passes all of them, and each bug is detected by its own cases only. */
import type { Catalogue } from "../../check/catalogue.ts";
import { caseNamed, casesOf, matches } from "../all-cases.ts";
import { createAnswers } from "../answers.ts";
import type { CaseOutcome } from "../document.ts";
import { everyInterface, type InterfaceName } from "../interface-names.ts";
import { judgeCase, profileOf } from "../judge/judge-case.ts";
import { type Planned, runCases } from "../run/run-cases.ts";
import { type ProofFault, proofFaults } from "./faults.ts";
import { proofClient } from "./proof-client.ts";

/** The outcomes of one bug. */
export interface ProvenFault {
  readonly fault: ProofFault;
  readonly says: string;
  readonly interface: InterfaceName;
  /** Cases that detect it, with their outcomes. */
  readonly told: readonly string[];
  /** Patterns of cases that should detect it, and do not. */
  readonly silent: readonly string[];
  /** Other cases with a changed outcome. */
  readonly strays: readonly string[];
}

export interface CaseProof {
  /** Cases that the correct client fails. */
  readonly amiss: readonly string[];
  /** Number of cases that the correct client ran. */
  readonly cases: number;
  readonly faults: readonly ProvenFault[];
}

export interface ProveCasesOptions {
  /** Bugs to prove; all by default. */
  readonly faults?: readonly ProofFault[] | undefined;
  /** Interfaces of the correct client; all by default. Bugs run in the interface of their entry. */
  readonly interfaces?: readonly InterfaceName[] | undefined;
  /** Skips cases that take seconds, and bugs that only these detect. */
  readonly isQuick?: boolean | undefined;
  /** Called after each bug. */
  readonly progress?: ((done: number, of: number) => void) | undefined;
}

/** Timeout of a case in milliseconds. The proof client gives up earlier. */
const timeout = 20_000;

/** Maximum number of concurrent cases and bugs. Most of their time is waiting. */
const [casesAtATime, faultsAtATime] = [24, 3];

const isLong = (id: string): boolean => /^endless\/|slow|silence|waiting|retry-after/.test(id);

type Outcomes = ReadonlyMap<string, CaseOutcome>;

export async function proveCases(
  catalogue: Catalogue,
  {
    faults = Object.keys(proofFaults) as ProofFault[],
    interfaces = everyInterface,
    isQuick = false,
    progress,
  }: ProveCasesOptions = {},
): Promise<CaseProof> {
  const answers = createAnswers(catalogue);
  const plain = caseNamed("plain");

  /** Returns the outcomes of a client, by interface and case. */
  async function outcomes(
    client: ReturnType<typeof proofClient>,
    plan: readonly Planned[],
    concurrency = casesAtATime,
  ): Promise<Outcomes> {
    const tried = await runCases(answers, client, plan, { timeout, concurrency });
    const profiles = new Map(
      tried.flatMap((one, i) =>
        one && plan[i]!.one === plain
          ? [[plan[i]!.interface, profileOf(answers, plain, one.seen, one.exchanges)] as const]
          : [],
      ),
    );
    return new Map(
      tried.flatMap((one, i) => {
        if (!one) return [];
        const { one: own, interface: of } = plan[i]!;
        const facts = { ...profiles.get(of), limit: client.limit };
        const { outcome } = judgeCase(answers, own, one.seen, one.exchanges, facts);
        return [[`${of} ${own.id}`, outcome] as const];
      }),
    );
  }

  const planOf = (name: InterfaceName, isTaken: (id: string) => boolean): Planned[] =>
    casesOf(name).flatMap((one) => (isTaken(one.id) ? [{ one, interface: name }] : []));

  const whole = interfaces.flatMap((name) => planOf(name, (id) => !isQuick || !isLong(id)));
  const first = await outcomes(proofClient(), whole);
  const isAmiss = ([, outcome]: readonly [string, CaseOutcome]): boolean => outcome !== "works" && outcome !== "error";
  const again = whole.filter(({ one, interface: of }) => isAmiss(["", first.get(`${of} ${one.id}`)!]));
  const second = await outcomes(proofClient(), again, 4);
  const amiss = [...second].filter(isAmiss);
  // Bugs are compared with the second run: on a busy machine, the first may fail like a bug.
  const good: Outcomes = new Map([...first, ...second]);

  async function prove(fault: ProofFault, concurrency = casesAtATime): Promise<ProvenFault> {
    const { says, in: name, told, may = [] }: (typeof proofFaults)[ProofFault] = proofFaults[fault];
    const isTelling = (id: string): boolean => told.some((pattern) => matches(id, pattern));
    const client = proofClient(new Set([fault]));
    const plan = planOf(name, (id) => !isLong(id) || (isTelling(id) && !isQuick));
    const found = await outcomes(client, plan, concurrency);
    // Whether a client sees an error or retries may depend on the time of a reset. Such a change counts only in detecting cases.
    const isChange = (key: string, outcome: CaseOutcome): boolean =>
      good.get(key) !== outcome && (isAmiss([key, outcome]) || isTelling(key.slice(name.length + 1)));
    const changedIn = (own: Outcomes): string[] =>
      [...own].flatMap(([key, outcome]) => (isChange(key, outcome) ? [key.slice(name.length + 1)] : []));
    const first = changedIn(found);
    const isStray = (id: string): boolean => !isTelling(id) && !may.some((pattern) => matches(id, pattern));
    const isShown = (pattern: string, ids: readonly string[]): boolean => ids.some((id) => matches(id, pattern));
    // A busy machine can look like a bug, or hide one. Both are tested again.
    const doubtful = plan.filter(
      ({ one: { id } }) => (first.includes(id) ? isStray(id) : isTelling(id)) && good.has(`${name} ${id}`),
    );
    const second = changedIn(await outcomes(client, doubtful, 4));
    const changed = [...first.filter((id) => !isStray(id)), ...second];
    return {
      ...{ fault, says, interface: name },
      told: changed.filter((id) => !isStray(id)).map((id) => `${id}: ${found.get(`${name} ${id}`)}`),
      silent: told.filter((pattern) => {
        const own = plan.filter(({ one: { id } }) => matches(id, pattern));
        return own.length > 0 && !isShown(pattern, changed);
      }),
      strays: changed.filter(isStray),
    };
  }

  const proven = new Map<ProofFault, ProvenFault>();
  const queue = [...faults];
  const worker = async (): Promise<void> => {
    for (let fault = queue.shift(); fault; fault = queue.shift()) {
      proven.set(fault, await prove(fault));
      progress?.(proven.size, faults.length);
    }
  };
  await Promise.all(Array.from({ length: faultsAtATime }, worker));
  // The rest runs again with fewer cases at a time, for busy machines.
  for (const [fault, one] of proven) if (!isTold(one, isQuick)) proven.set(fault, await prove(fault, 4));
  return {
    amiss: amiss.map(([key, outcome]) => `${key}: ${outcome}`),
    cases: good.size,
    faults: faults.map((fault) => proven.get(fault)!),
  };
}

/** Whether the proof is complete. @param isQuick whether slow cases were skipped */
export const isProven = ({ amiss, faults }: CaseProof, isQuick = false): boolean =>
  amiss.length === 0 && faults.every((one) => isTold(one, isQuick));

/** Whether its own cases detect a bug, and no others. */
const isTold = ({ told, silent, strays }: ProvenFault, isQuick: boolean): boolean =>
  strays.length === 0 && silent.length === 0 && (isQuick || told.length > 0);
