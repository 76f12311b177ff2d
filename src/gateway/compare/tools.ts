/** Compares tools, the choice among them, and the form that a reply has to have. */
import type { OutputForm, Tool, ToolChoice } from "../../interfaces/common/facts/model.ts";
import { isObject } from "../../wire/json.ts";
import type { FactComparison } from "../trip.ts";
import { asksInOtherWords, emulatingTool } from "./emulated.ts";
import {
  cameAs,
  changed,
  converted,
  dropped,
  type Ends,
  gone,
  invented,
  kept,
  noCounterpart,
  requestFact,
  told,
  type Verdict,
} from "./ends.ts";
import { perOutcome } from "./media.ts";
import { compareSchemas, type SchemaComparison } from "./schema.ts";

/** Schemas of the client and of the upstream; where either is of the narrower dialect, other keywords may be left out. */
function schemasOf({ route: { from, to } }: Ends, fact: string, before: unknown, after: unknown): SchemaComparison {
  const { narrowSchemas = [] } = requestFact(fact);
  return compareSchemas(before, after, narrowSchemas.includes(from) || narrowSchemas.includes(to));
}

function schemaVerdict(ends: Ends, what: string, { dialect, different }: SchemaComparison): Verdict {
  if (different !== undefined) return changed(`${what} arrived with another schema, at ${different}.`);
  return dialect.length === 0
    ? kept
    : converted(
        ends,
        "G-FACT-SCHEMA",
        `The schema of ${what} is in another dialect: ${dialect.slice(0, 5).join(", ")}.`,
      );
}

function toolVerdicts(ends: Ends, asked: Tool, arrived: Tool): readonly Verdict[] {
  const verdicts = [schemaVerdict(ends, asked.name, schemasOf(ends, "tools", asked.parameters, arrived.parameters))];
  if (arrived.under !== undefined && arrived.under !== asked.under)
    verdicts.push(converted(ends, "G-FACT-UNDOCUMENTED", cameAs(ends, arrived.under)));
  if ((asked.description ?? "").trim() !== (arrived.description ?? "").trim())
    verdicts.push(changed(`The description of ${asked.name} ${arrived.description ? "is another one" : "is lost"}.`));
  if (asked.strict && !arrived.strict)
    verdicts.push(
      ends.route.from === ends.route.to
        ? changed(`That ${asked.name} is strict is lost.`)
        : noCounterpart(`That ${asked.name} is strict has no word in ${ends.route.to}.`),
    );
  return verdicts;
}

function toolsVerdicts(ends: Ends, asked: readonly Tool[], arrived: readonly Tool[]): readonly Verdict[] {
  const { choice } = ends.asked;
  if (asked.length > 0 && arrived.length === 0)
    return [
      choice?.mode === "none"
        ? converted(ends, "G-FACT-CHOICE", "Left out, since none of them may be called.", dropped())
        : gone(ends, "tools"),
    ];
  const byName = new Map(arrived.map((tool) => [tool.name, tool]));
  const names = new Set(asked.map(({ name }) => name));
  const missing = asked.filter(({ name }) => !byName.has(name));
  // A tool that the interface itself describes may be declared to others as any tool.
  const builtIn = ends.asked.settings["tools.built-in"];
  for (const tool of Array.isArray(builtIn) ? builtIn : []) if (isObject(tool)) names.add(String(tool["name"]));
  const extra = arrived.filter(({ name }) => !names.has(name));
  const verdicts = asked.flatMap((tool) => {
    const other = byName.get(tool.name);
    return other ? toolVerdicts(ends, tool, other) : [];
  });
  const isAllowed = (tool: Tool): boolean => choice?.mode !== "named" || choice.names?.includes(tool.name) === true;
  if (missing.length > 0)
    verdicts.push(
      extra.length > 0
        ? changed(`${missing[0]!.name} became ${extra[0]!.name}.`)
        : missing.some(isAllowed)
          ? changed(`${missing.length} of ${asked.length} tools are lost: ${missing[0]!.name}.`)
          : converted(ends, "G-FACT-CHOICE", "Tools that may not be called were left out."),
    );
  else if (extra.length > 0)
    verdicts.push(
      emulatingTool(ends)
        ? converted(ends, "G-FACT-EMULATED", "The form of the reply is asked for as a tool.")
        : invented(`Nobody declared ${extra[0]!.name}.`),
    );
  return verdicts;
}

const isAuto = (choice: ToolChoice | undefined): boolean => choice === undefined || choice.mode === "auto";

const sameNames = (a: readonly string[] = [], b: readonly string[] = []): boolean =>
  [...a].sort().join() === [...b].sort().join();

function choiceVerdict(ends: Ends): Verdict | undefined {
  const verdict = choiceOutcome(ends);
  const under = ends.arrived.choice?.under;
  if (verdict?.outcome !== "kept" || under === undefined || under === ends.asked.choice?.under) return verdict;
  return converted(ends, "G-FACT-UNDOCUMENTED", cameAs(ends, under));
}

function choiceOutcome(ends: Ends): Verdict | undefined {
  const { choice: asked, tools = [] } = ends.asked;
  const { choice: arrived, tools: there = [] } = ends.arrived;
  if (!asked && !arrived) return undefined;
  if (isAuto(asked) && isAuto(arrived)) {
    if (asked?.mode === arrived?.mode) return kept;
    return converted(
      ends,
      "G-FACT-DEFAULT",
      asked ? "Left out, since it is the default." : "The default was filled in.",
    );
  }
  if (isAuto(asked)) {
    if (emulatingTool(ends)) return converted(ends, "G-FACT-EMULATED", "The form of the reply is asked for as a tool.");
    return asked ? changed("Another choice arrived.") : invented("Nobody chose.");
  }
  if (asked!.mode === arrived?.mode && sameNames(asked!.names, arrived.names)) return kept;
  if (asked!.mode === "none" && there.length === 0 && isAuto(arrived))
    return converted(ends, "G-FACT-CHOICE", "The tools were left out in its place.", dropped());
  const only = tools.length === 1 ? tools[0]!.name : undefined;
  const isOnly = (choice: ToolChoice | undefined): boolean =>
    choice?.mode === "required" || (choice?.mode === "named" && sameNames(choice.names, [only ?? ""]));
  if (only !== undefined && isOnly(asked) && isOnly(arrived))
    return converted(ends, "G-FACT-CHOICE", "There is only one tool that must be called.");
  const names = asked!.names ?? [];
  if (
    asked!.mode === "named" &&
    arrived?.mode === "required" &&
    there.length > 0 &&
    there.every(({ name }) => names.includes(name))
  )
    return converted(ends, "G-FACT-CHOICE", "The tools that may not be called were left out.");
  if (asked!.mode === "named" && names.length > 1 && ends.route.to !== ends.route.from)
    return noCounterpart(`${ends.route.to} has no word for a choice among some tools.`);
  return arrived === undefined ? gone(ends, "tools.choice") : changed("Another choice arrived.");
}

const isText = (form: OutputForm | undefined): boolean => form === undefined || form.form === "text";

/** A list of words as a schema. */
const asSchema = ({ form, schema }: OutputForm): unknown => (form === "json" ? undefined : schema);

function formVerdict(ends: Ends): Verdict | undefined {
  const [asked, arrived] = [ends.asked.output, ends.arrived.output];
  if (!asked && !arrived) return undefined;
  if (asked && arrived && isText(asked) && isText(arrived)) return kept;
  if (isText(asked) && isText(arrived)) return converted(ends, "G-FACT-DEFAULT", "Text is the default.");
  if (isText(asked)) return invented("Nobody asked for it.");
  if (isText(arrived)) {
    if (emulatingTool(ends)) return converted(ends, "G-FACT-EMULATED", "It is asked for as a tool.");
    const words = [
      ...ends.arrived.system,
      ...ends.arrived.turns.flatMap(({ parts }) => parts.flatMap((one) => (one.kind === "text" ? [one.text] : []))),
    ];
    const known = [
      ...ends.asked.system,
      ...ends.asked.turns.flatMap(({ parts }) => parts.flatMap((one) => (one.kind === "text" ? [one.text] : []))),
    ].join("");
    if (words.some((text) => !known.includes(text) && asksInOtherWords(ends, text)))
      return converted(ends, "G-FACT-EMULATED", "It is asked for in words.");
    return gone(ends, "structured-output");
  }
  if (asked!.form === "json" && arrived!.form === "json") return kept;
  if (asked!.form === "json") return changed("A schema arrived that nobody gave.");
  if (arrived!.form === "json") return asked!.schema === undefined ? kept : changed("The schema is lost.");
  const verdict = schemaVerdict(
    ends,
    "The reply",
    schemasOf(ends, "structured-output", asSchema(asked!), asSchema(arrived!)),
  );
  if (verdict.outcome !== "kept" || ends.route.from !== ends.route.to) return verdict;
  const lost = (["name", "description", "strict"] as const).find(
    (name) => (asked![name] ?? false) !== (arrived![name] ?? false),
  );
  return lost === undefined ? verdict : changed(`Its ${lost} is another one.`);
}

/** Tools, their choice, and the form of the reply. */
export function* compareTools(ends: Ends): Generator<FactComparison> {
  const [asked, arrived] = [ends.asked.tools ?? [], ends.arrived.tools ?? []];
  if (asked.length + arrived.length > 0)
    for (const verdict of perOutcome(toolsVerdicts(ends, asked, arrived)))
      yield told("request", "tools", verdict, ends.asked.tools, ends.arrived.tools);
  const choice = choiceVerdict(ends);
  if (choice) yield told("request", "tools.choice", choice, ends.asked.choice, ends.arrived.choice);
  const form = formVerdict(ends);
  if (form) yield told("request", "structured-output", form, ends.asked.output, ends.arrived.output);
}
