/** Rules that hold the service tier a chat reply names against the one its request asked for. */
import { type Grade, strictOnly, warns } from "../../../check/clause.ts";
import type { Fault, Rule, Undecided } from "../../../check/rule.ts";
import type { Subject } from "../../../check/subject.ts";
import { chunkEvents, editReply } from "../examples/spoil.ts";
import { askedOf, chunksOf, faultAt, replyOf, type Spot } from "../reading/reply.ts";
import { id } from "./clause.ts";

const tiers: ReadonlySet<unknown> = new Set(["auto", "default", "flex"]);
/** A value that is no tier is the request's fault, and owes no answer. */
const tierAsked = (subject: Subject): boolean => tiers.has(askedOf(subject)?.["service_tier"]);

/** Tiers named in the reply, with where; of a stream, in its chunks. */
function tiersOf(subject: Subject): { tier: unknown; fault: (expected: string, reading?: Grade) => Fault }[] {
  const at = (spot: Spot, tier: unknown) => ({
    tier,
    fault: (expected: string, reading?: Grade) => faultAt(spot, expected, tier, reading && { reading }),
  });
  const reply = replyOf(subject);
  if (!reply) return [];
  if (!reply.streamed) return [at({ in: "body", pointer: "/service_tier" }, subject.replyJson?.["service_tier"])];
  return chunksOf(subject).map(({ value, position }) =>
    at({ in: "stream", event: position, pointer: "/service_tier" }, value["service_tier"]),
  );
}

/** Reading C-TIER: null warns; whether chunks carry a tier is not said. */
const tierPresent: Rule = {
  clause: id("service-tier-present"),
  applies: (subject) => tierAsked(subject) && tiersOf(subject).length > 0,
  *check(subject): Iterable<Fault | Undecided> {
    const named = tiersOf(subject);
    if (named.some(({ tier }) => tier !== undefined && tier !== null)) return;
    const expected = "the tier used, since the request sets service_tier";
    if (replyOf(subject)?.streamed) {
      yield named[0]!.fault(expected, strictOnly("C-TIER"));
      if (named[0]!.tier === undefined) yield { needs: "a document that says whether chunks name the tier (C-TIER)" };
    } else yield named[0]!.fault(expected, named[0]!.tier === null ? warns("C-TIER") : undefined);
  },
  spoil: (exchange) =>
    editReply(
      exchange,
      (body) => void delete body.service_tier,
      (events) => {
        for (const { data } of chunkEvents(events)) delete data.service_tier;
      },
    ),
};

const tierUsed: Rule = {
  clause: id("service-tier-used"),
  applies: (subject) => tierAsked(subject) && tiersOf(subject).some(({ tier }) => typeof tier === "string"),
  *check(subject) {
    const auto = tiersOf(subject).find(({ tier }) => tier === "auto");
    if (auto) yield auto.fault(`the tier used, "default" or "flex"`, strictOnly("C-TIER"));
  },
  spoil: (exchange) =>
    editReply(
      exchange,
      (body) => void (body.service_tier = "auto"),
      (events) => {
        for (const { data } of chunkEvents(events)) data.service_tier = "auto";
      },
    ),
};

export const rules: readonly Rule[] = [tierPresent, tierUsed];
