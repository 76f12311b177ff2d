/** Finds other reasons for the refusal of a probe. If there is one, the refusal does not count for the clause. */
import type { Interface } from "../../check/interface.ts";
import { isKind } from "../../check/neutral-names.ts";
import type { Probe, Twin } from "../../check/probe.ts";
import { modelOf } from "../../interfaces/model.ts";
import { needsShownBy } from "../../interfaces/needs.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { excerptOf, saysUnsupported } from "./request-failure.ts";

/** Characters of a refusal that are read. */
const maxExcerptLength = 2000;

/** Statuses that speak of who asks. */
const aboutTheCaller = new Set([401, 402, 403, 407]);

const aboutModel = /\bmodels?\b/i;
const notThere =
  /not[ _-]?found|(?:does|do) not exist|doesn'?t exist|no such|unknown model|not available|unavailable|invalid model/i;

/** Finish reasons of a reply that ended too early to be what was asked for. */
const cutShort =
  /(?:max(?:imum)?[ _]?(?:completion|output|new)?[ _]?tokens?|(?:token|output|length)[ _]limit)\b.*\b(?:reach|exceed|hit|too (?:low|small)|increase|truncat|before|could not finish)|\b(?:truncated|cut off|incomplete)\b|failed to generate (?:valid )?json|json_validate_failed/is;

/** A limit on tokens has its own rules: there the bound is what a refusal speaks of. */
const aboutBounds = /token|budget/;

/** Other ways to ask for the same: another spelling of a name, or another role of the same message, is no feature. */
const sameFeature = new Set(["snake-case", "developer-role"]);

/** The needs of a probe within a rule beyond those of its twin, which was accepted. */
export function furtherNeeds({ request }: Probe, twin: Twin, of: Interface | undefined): string[] {
  const known = new Set(needsShownBy(twin.request, of));
  return needsShownBy(request, of).filter((need) => !known.has(need) && !sameFeature.has(need));
}

/**
 * Says what must be known before a refusal says something of the rule: a feature that the twin does not ask for, a model that
 * the target may not have, or who asks.
 */
export function otherReason(
  { response }: Exchange,
  probe: Probe,
  twin: Twin,
  of: Interface | undefined,
): string | undefined {
  if (!response) return undefined;
  const { status } = response;
  const said = excerptOf(response, maxExcerptLength);
  const model = modelOf(probe.request, of?.model);
  if (aboutTheCaller.has(status) && !probe.ofKey)
    return `a refusal of what was sent, not status ${status}, which speaks of who asks`;
  if (
    isKind(model) &&
    model !== modelOf(twin.request, of?.model) &&
    (status === 404 || (aboutModel.test(said) && notThere.test(said)))
  )
    return `a model of the kind ${model} that the target has`;
  const further = furtherNeeds(probe, twin, of);
  const isUnsupported = status === 501 || saysUnsupported(response);
  if (further.length > 0 && (probe.kind === "within" || isUnsupported))
    return `a target that is known to offer ${further.join(" and ")}, which the probe asks for as well`;
  if (probe.kind !== "within") return undefined;
  if (isUnsupported) return "a refusal that does not speak of something unsupported";
  if (!aboutBounds.test(probe.clause) && cutShort.test(said)) return "a reply that no bound on its tokens cuts";
  return undefined;
}
