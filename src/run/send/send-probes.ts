/** Sends probes to the target: each one after its twin, the valid request it was made from. `judge-probes.ts` judges the answers. */
import type { Catalogue } from "../../check/catalogue.ts";
import { lenient } from "../../check/clause.ts";
import { judge } from "../../check/judge.ts";
import { isKind } from "../../check/neutral-names.ts";
import type { Probe, Twin } from "../../check/probe.ts";
import { modelOf } from "../../interfaces/model.ts";
import type { Answers, SentRecord, Unsent } from "../../verdict/sent-record.ts";
import type { Exchange } from "../../wire/exchange.ts";
import type { Sender } from "../../wire/send.ts";
import type { ProbeGroup } from "../judge/judge-probes.ts";
import { accepted } from "../judge/probe-outcome.ts";
import { hasModelOf, hasOwnModels, targetNames } from "../plan/target.ts";
import { hasOwnCredential, withWrongKey } from "../reach/wrong-key.ts";
import { retarget } from "./retarget.ts";
import { saysLater } from "./retry.ts";
import { recordOf, type SendContext } from "./send-cassette.ts";

/** Whether this request was answered with a failure. */
const isRefused = (last: SentRecord | undefined, exchange: number): boolean =>
  last?.exchange === exchange &&
  last.passed.response !== null &&
  last.passed.response.status >= 400 &&
  !saysLater(last.passed.response);

/** An exchange of which only the request is there. */
const unanswered: Omit<Exchange, "request"> = { origin: "", started: 0, response: null };

/**
 * Sends one twin and, where it was accepted, its probes.
 * @param catalogue needed where the target has models of its own
 */
export async function sendProbeGroup(
  { source, twin, probes }: ProbeGroup,
  { target, knownModels, heads, again = 0 }: Pick<SendContext, "target" | "knownModels" | "heads" | "again">,
  catalogue: Catalogue | undefined,
  sender: Sender,
): Promise<Answers> {
  const names = targetNames(target);
  const records: SentRecord[] = [];
  const unsent: Unsent[] = [];

  /** The clauses that a request breaks at error level, by the target's names; undefined where they are the documents'. */
  function brokenBy(request: Twin["request"]): string[] | undefined {
    if (!hasOwnModels(target)) return undefined;
    if (!catalogue) throw new Error("a target with models of its own is asked without a catalogue");
    const at = { source, exchange: 0 };
    const alone = { ...unanswered, request };
    return judge(alone, at, catalogue, { names, policy: lenient, side: "request" })
      .findings.filter(({ level }) => level === "error")
      .map(({ clause }) => clause);
  }

  /** Sends a request where it says what it is to say; what the target did not answer at all, in words. */
  async function ask(exchange: number, request: Twin["request"], probe?: Probe): Promise<string | undefined> {
    const isWrong = probe?.wrongKey === true;
    const isOfKeys = probe?.ofKey === true;
    const leave = (why: string): undefined => void unsent.push({ exchange, why });
    const model = modelOf(request, target.places[twin.interface]?.model);
    if (isKind(model) && !hasModelOf(target, model))
      return leave(`a model of the kind ${model}, which --model ${model}=ID names`);
    if (isOfKeys && hasOwnCredential(target)) return leave("a target that is opened by its documented key alone");
    // A wrong key takes the place of the right one, wherever that is sent.
    const recorded = { interface: twin.interface, bindings: {}, negative: isOfKeys && !isWrong };
    const made = retarget(request, recorded, isWrong ? withWrongKey(target) : target, knownModels);
    // With the target's own models and names a request may break other rules than it did, or none.
    const broken = brokenBy(made.request);
    const isMeant = probe?.kind === "beyond" && !isWrong ? broken?.includes(probe.clause) : broken?.length === 0;
    if (broken && !isMeant)
      return leave("models and names of the target under which the probe is about this rule alone");
    const sent = await sender.send(made.origin, made.request);
    if (sent.failure?.kind === "unreachable") return sent.failure.problem;
    const part = exchange === 0 ? "twin" : "probe";
    records.push(recordOf(sent, { source, exchange, interface: twin.interface, part }, made, { target, heads }));
    return undefined;
  }

  const unreachable = await ask(0, twin.request);
  if (unreachable !== undefined) return { sent: records, unsent, unreachable, inFlight: [0] };
  const [first] = records;
  if (!first || !accepted(first.passed)) return { sent: records, unsent };
  for (const [i, probe] of probes.entries()) {
    const lost = await ask(i + 1, probe.request, probe);
    if (lost !== undefined) return { sent: records, unsent, unreachable: lost, inFlight: [i + 1] };
    // Nobody is accused of a refusal of the moment.
    if (again === 0 || probe.kind !== "within" || !isRefused(records.at(-1), i + 1)) continue;
    const lostThen = await ask(i + 1, probe.request, probe);
    if (lostThen !== undefined) return { sent: records, unsent, unreachable: lostThen };
  }
  return { sent: records, unsent };
}
