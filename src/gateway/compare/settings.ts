/** Compares facts that are one value each. */
import type { Modalities } from "../../interfaces/common/facts/model.ts";
import type { FactEntry } from "../../interfaces/fact-data.ts";
import { factData } from "../../interfaces/fact-data.ts";
import { isObject } from "../../wire/json.ts";
import type { FactComparison } from "../trip.ts";
import { emulatingTool } from "./emulated.ts";
import {
  changed,
  converted,
  type Ends,
  gone,
  invented,
  kept,
  noCounterpart,
  requestFact,
  told,
  type Verdict,
} from "./ends.ts";
import { mediaOf } from "./media.ts";
import { isSame } from "./values.ts";

/** Settings that other files compare. */
const elsewhere = new Set(["thinking", "choices"]);

/** Named parts that have their default are left out. */
function withoutDefaults(value: unknown, defaults: unknown): unknown {
  if (!isObject(value) || !isObject(defaults)) return isSame(value, defaults) ? undefined : value;
  const left = Object.entries(value).filter(([name, one]) => !isSame(one, defaults[name]));
  return left.length > 0 ? Object.fromEntries(left) : undefined;
}

/** A number of one range in another of a different width. */
function scaled(ends: Ends, { ranges }: FactEntry, asked: number, arrived: number): Verdict | undefined {
  const [from, to] = [ranges?.[ends.route.from], ranges?.[ends.route.to]];
  if (!from || !to || isSame(from, to)) return undefined;
  const clamped = Math.min(to[1], Math.max(to[0], asked));
  if (isSame(arrived, clamped)) {
    const conversion = `Set to ${clamped}, the nearer end of the range of ${ends.route.to}.`;
    return { outcome: "kept", conversion };
  }
  const ratio = (to[1] - to[0]) / (from[1] - from[0]);
  if (!isSame(arrived, to[0] + (asked - from[0]) * ratio)) return undefined;
  return converted(ends, "G-FACT-SCALE", `Scaled from ${from.join(" to ")} to ${to.join(" to ")}.`);
}

/** A list that was cut to the limit of the other interface, or whose items come in another order. */
function asList(
  ends: Ends,
  { limits }: FactEntry,
  asked: readonly unknown[],
  arrived: readonly unknown[],
): Verdict | undefined {
  const items = new Set(asked);
  const isPart = arrived.every((one) => items.has(one));
  if (!isPart) return undefined;
  if (new Set(arrived).size === items.size) return kept;
  const limit = limits?.[ends.route.to];
  if (limit !== undefined && arrived.length === limit && items.size > limit)
    return converted(ends, "G-FACT-LIMIT", `Cut to the ${limit} that ${ends.route.to} takes.`);
  return undefined;
}

function raisedAboveThinking({ arrived: { thinking } }: Ends, asked: number, arrived: number): boolean {
  const { budget } = thinking ?? {};
  return budget !== undefined && arrived > asked && (budget >= asked || arrived === asked + budget);
}

/** Kinds of output beside text, and whether a voice is given where one was asked for. */
function modalitiesVerdict(ends: Ends, asked: Modalities, arrived: Modalities): Verdict {
  const { details } = requestFact("modalities");
  const wanted = asked.kinds.filter((kind) => kind !== "text");
  const missing = wanted.filter((kind) => !arrived.kinds.includes(kind));
  const untold = missing.filter((kind) => !details?.[kind]?.includes(ends.route.to));
  if (missing.length > untold.length) return changed(`Output as ${missing[0]} is no longer asked for.`);
  if (untold.length > 0) return noCounterpart(`${ends.route.to} has no output as ${untold[0]}.`);
  if (arrived.kinds.some((kind) => kind !== "text" && !asked.kinds.includes(kind)))
    return changed("Another kind of output is asked for.");
  const isSpoken = asked.voice !== undefined || asked.speech !== undefined;
  if (isSpoken && arrived.voice === undefined && arrived.speech === undefined) return changed("The voice is lost.");
  if (ends.route.from === ends.route.to) return changed("It arrived with another value.");
  return { outcome: "kept", conversion: "Voices and formats have other names there." };
}

function compareBoth(ends: Ends, fact: string, entry: FactEntry, asked: unknown, arrived: unknown): Verdict {
  const { from, to } = ends.route;
  if (from !== to && ends.arrived.singleTexts?.includes(fact) && entry.singleText?.includes(to) !== true)
    return changed(`It arrived as a text, and ${to} takes a list.`);
  const under = ends.arrived.undocumented?.[fact];
  if (isSame(asked, arrived)) {
    if (under === undefined || ends.asked.undocumented?.[fact] === under) return kept;
    const conversion = `Passed on as ${under}, which the document of ${ends.route.to} does not have.`;
    return converted(ends, "G-FACT-UNDOCUMENTED", conversion, noCounterpart(conversion));
  }
  if (typeof asked === "number" && typeof arrived === "number") {
    const fair = scaled(ends, entry, asked, arrived);
    if (fair) return fair;
    if (fact === "limits.max-tokens" && raisedAboveThinking(ends, asked, arrived))
      return converted(ends, "G-FACT-LIMIT", "Raised by the budget for thinking.");
  }
  if (under !== undefined && fact === "cache-control")
    return noCounterpart(`${to} has no word for it; ${arrived} of ${asked} marks came as ${under}.`);
  if (fact === "modalities") return modalitiesVerdict(ends, asked as Modalities, arrived as Modalities);
  if (fact === "web-search" && from !== to)
    return converted(ends, "G-FACT-UNDOCUMENTED", "It is asked for in other words.");
  if (Array.isArray(asked) && Array.isArray(arrived)) {
    const fair = asList(ends, entry, asked, arrived);
    if (fair) return fair;
  }
  if (fact === "user" && typeof asked === "string" && typeof arrived === "string")
    if (asked.length > 256 && arrived.length > 0 && asked.startsWith(arrived))
      return converted(ends, "G-FACT-LIMIT", `Cut to ${arrived.length} characters.`);
  const [left, right] = [
    withoutDefaults(asked, entry.defaults?.[from]),
    withoutDefaults(arrived, entry.defaults?.[to] ?? entry.defaults?.[from]),
  ];
  if (isSame(left, right))
    return converted(ends, "G-FACT-DEFAULT", "Values that are the default were left out or filled in.");
  return changed("It arrived with another value.");
}

/** The outcome of a fact that is one value; undefined if nobody asked for it and nothing arrived. */
export function compareSetting(
  ends: Ends,
  fact: string,
  entry: FactEntry,
  asked: unknown,
  arrived: unknown,
): Verdict | undefined {
  const { from, to } = ends.route;
  const [defaultFrom, defaultTo] = [entry.defaults?.[from], entry.defaults?.[to]];
  if (asked === undefined && arrived === undefined) return undefined;
  if (asked === undefined) {
    if (entry.required?.[to] !== undefined)
      return { outcome: "kept", conversion: `Filled in, since ${to} demands it.` };
    const isDefault = [defaultFrom, defaultTo].some(
      (one) => one !== undefined && withoutDefaults(arrived, one) === undefined,
    );
    const why = "Nobody asked for it.";
    return isDefault ? converted(ends, "G-FACT-DEFAULT", "The default was filled in.", invented(why)) : invented(why);
  }
  if (arrived !== undefined) return compareBoth(ends, fact, entry, asked, arrived);
  const asksNothing = defaultFrom !== undefined && withoutDefaults(asked, defaultFrom) === undefined;
  const isSameThere = entry.at[to] ? defaultTo !== undefined && withoutDefaults(asked, defaultTo) === undefined : true;
  if (asksNothing && isSameThere)
    return converted(ends, "G-FACT-DEFAULT", "Left out, since it is the default.", gone(ends, fact));
  if (fact === "modalities" && from !== to) {
    const { kinds, speech } = asked as Modalities;
    if (speech !== undefined) return noCounterpart(`${to} has no word for several speakers.`);
    const untold = kinds.filter((kind) => kind !== "text");
    if (untold.length === 0)
      return converted(ends, "G-FACT-DEFAULT", "Left out, since only text is asked for.", gone(ends, fact));
    if (untold.length > 0 && untold.every((kind) => !entry.details?.[kind]?.includes(to)))
      return noCounterpart(`${to} has no output as ${untold[0]}.`);
  }
  const isOfItems = entry.at[to]?.every((place) => place.includes("*")) === true;
  if (fact === "media-resolution" && isOfItems && mediaOf(ends.asked).length === 0)
    return noCounterpart(`${to} says it of each image, and there is none.`);
  return gone(ends, fact);
}

/** Every fact that is one value, but for those that other files compare. */
export function* compareSettings(ends: Ends): Generator<FactComparison> {
  for (const [fact, entry] of Object.entries(factData().request)) {
    if (elsewhere.has(fact)) continue;
    const [asked, arrived] = [ends.asked.settings[fact], ends.arrived.settings[fact]];
    const verdict =
      fact === "stream.usage" ? streamUsage(ends, asked, arrived) : compareSetting(ends, fact, entry, asked, arrived);
    if (verdict) yield told("request", fact, verdict, asked, arrived);
  }
  yield* compareParallel(ends);
  yield* compareChoices(ends);
  yield* compareStream(ends);
}

/** Only chat asks for usage in streams: elsewhere they always have it, and a gateway may ask for it on its own account. */
function streamUsage(ends: Ends, asked: unknown, arrived: unknown): Verdict | undefined {
  if (asked !== true) return undefined;
  if (arrived === true) return kept;
  const isAsked = factData().request["stream.usage"]?.at[ends.route.to];
  if (!isAsked) return { outcome: "kept", conversion: `Streams of ${ends.route.to} always tell it.` };
  // Without a stream at the upstream, its whole reply tells the usage.
  return ends.arrived.stream
    ? gone(ends, "stream.usage")
    : { outcome: "kept", conversion: "A whole reply always tells it." };
}

function* compareParallel(ends: Ends): Generator<FactComparison> {
  const fact = "tools.parallel";
  const [asked, arrived] = [ends.asked.parallel, ends.arrived.parallel];
  const asksNothing =
    asked !== undefined && arrived === undefined && !ends.asked.tools && !("tools.built-in" in ends.asked.settings);
  const isEmulated = asked === undefined && arrived === false && emulatingTool(ends) !== undefined;
  const verdict = isEmulated
    ? converted(ends, "G-FACT-EMULATED", "Only the tool that stands for the form of the reply may be called.")
    : asksNothing
      ? converted(ends, "G-FACT-DEFAULT", "Left out, since there are no tools.", gone(ends, fact))
      : compareSetting(ends, fact, factData().request[fact]!, asked, arrived);
  if (verdict) yield told("request", fact, verdict, asked, arrived);
}

function* compareChoices(ends: Ends): Generator<FactComparison> {
  const fact = "choices";
  const asked = ends.asked.settings[fact];
  const arrived = ends.arrived.settings[fact];
  const { length } = ends.arrivals;
  const isOneByOne = typeof asked === "number" && asked > 1 && length === asked && (arrived ?? 1) === 1;
  const verdict = isOneByOne
    ? converted(ends, "G-FACT-REPEAT", `Asked for one by one, in ${length} requests.`)
    : compareSetting(ends, fact, factData().request[fact]!, asked, arrived);
  if (verdict) yield told("request", fact, verdict, asked, arrived);
}

function* compareStream(ends: Ends): Generator<FactComparison> {
  const [asked, arrived] = [ends.asked.stream, ends.arrived.stream];
  if (!asked && !arrived) return;
  const verdict =
    asked === arrived
      ? kept
      : asked
        ? changed("The upstream was asked for a whole reply.")
        : converted(ends, "G-FACT-STREAM", "The upstream was asked for a stream.");
  yield told("request", "stream", verdict, asked, arrived);
}
