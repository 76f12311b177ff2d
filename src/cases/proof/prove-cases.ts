/** The proof of the cases: a client without a fault does well in all of them, and each fault is told, alone. */
import type { Catalogue } from "../../check/catalogue.ts";
import { caseNamed, casesOf, matches } from "../all-cases.ts";
import { createAnswers } from "../answers.ts";
import type { CaseOutcome } from "../document.ts";
import { everyInterface, type InterfaceName } from "../interface-names.ts";
import { judgeCase, profileOf } from "../judge/judge-case.ts";
import { type Planned, runCases } from "../run/run-cases.ts";
import { type ProofFault, proofFaults } from "./faults.ts";
import { proofClient } from "./proof-client.ts";

/** The outcomes that told a fault. */
export interface ProvenFault {
  readonly fault: ProofFault;
  readonly says: string;
  readonly interface: InterfaceName;
  /** Cases that tell it, with their outcomes. */
  readonly told: readonly string[];
  /** Patterns of cases that had to tell it and did not. */
  readonly silent: readonly string[];
  /** Cases that changed and had no reason to. */
  readonly strays: readonly string[];
}

export interface CaseProof {
  /** Cases in which the client without a fault did not do well. */
  readonly amiss: readonly string[];
  /** How many it was tried with. */
  readonly cases: number;
  readonly faults: readonly ProvenFault[];
}

export interface ProveCasesOptions {
  /** Only these faults; all unless said. */
  readonly faults?: readonly ProofFault[] | undefined;
  /** The cases of the client without a fault; all unless said. Faults are tried where they are shown. */
  readonly interfaces?: readonly InterfaceName[] | undefined;
  /** Whether cases that take seconds are left out, and faults that only they tell. */
  readonly isQuick?: boolean | undefined;
  /** Called for each fault when it was tried. */
  readonly progress?: ((done: number, of: number) => void) | undefined;
}

/** Milliseconds a case may take; longer than the proof client gives up after. */
const timeout = 20_000;

/** Cases, and faults, under way at a time: they wait most of the time. */
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

  /** The client's outcomes. */
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
  // A fault is told by what differs from the second try: the first may have failed as the fault does.
  const good: Outcomes = new Map([...first, ...second]);

  async function prove(fault: ProofFault, concurrency = casesAtATime): Promise<ProvenFault> {
    const { says, in: name, told, may = [] }: (typeof proofFaults)[ProofFault] = proofFaults[fault];
    const isTelling = (id: string): boolean => told.some((pattern) => matches(id, pattern));
    const client = proofClient(new Set([fault]));
    const plan = planOf(name, (id) => !isLong(id) || (isTelling(id) && !isQuick));
    const found = await outcomes(client, plan, concurrency);
    // An error in place of a retry, or the other way round, may hang on when a reset arrives: only what tells a fault may be that.
    const isChange = (key: string, outcome: CaseOutcome): boolean =>
      good.get(key) !== outcome && (isAmiss([key, outcome]) || isTelling(key.slice(name.length + 1)));
    const changedIn = (own: Outcomes): string[] =>
      [...own].flatMap(([key, outcome]) => (isChange(key, outcome) ? [key.slice(name.length + 1)] : []));
    const first = changedIn(found);
    const isStray = (id: string): boolean => !isTelling(id) && !may.some((pattern) => matches(id, pattern));
    const isShown = (pattern: string, ids: readonly string[]): boolean => ids.some((id) => matches(id, pattern));
    // A busy machine looks like a fault, or hides one: both are looked for once more.
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
  // Of those that are left, a busy machine is asked less at a time.
  for (const [fault, one] of proven) if (!isTold(one, isQuick)) proven.set(fault, await prove(fault, 4));
  return {
    amiss: amiss.map(([key, outcome]) => `${key}: ${outcome}`),
    cases: good.size,
    faults: faults.map((fault) => proven.get(fault)!),
  };
}

/** Whether everything is shown. @param isQuick whether faults that take seconds to be told were left out */
export const isProven = ({ amiss, faults }: CaseProof, isQuick = false): boolean =>
  amiss.length === 0 && faults.every((one) => isTold(one, isQuick));

/** Whether the cases tell a fault, alone. */
const isTold = ({ told, silent, strays }: ProvenFault, isQuick: boolean): boolean =>
  strays.length === 0 && silent.length === 0 && (isQuick || told.length > 0);
