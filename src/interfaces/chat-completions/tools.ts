/** Rules on the tools of a chat request, the choice among them, and web search. */
import type { Rule } from "../../check/rule.ts";
import { isObject, requestJson, type Subject } from "../../check/subject.ts";
import { editJson } from "../../wire/edit.ts";
import { deprecatedMember, type Editable } from "./deprecated.ts";
import { isCountry, isTimeZone } from "./places.ts";

/** Names of well-shaped tools; undefined where tools is ill-typed. No tools at all is an empty list (reading X-EMPTY). */
function declaredNames(subject: Subject): readonly string[] | undefined {
  const tools = requestJson(subject)["tools"] ?? [];
  if (!Array.isArray(tools)) return undefined;
  const names: string[] = [];
  for (const tool of tools) {
    const name = isObject(tool) && isObject(tool["function"]) ? tool["function"]["name"] : undefined;
    if (typeof name !== "string") return undefined;
    names.push(name);
  }
  return names;
}

/** The function a `tool_choice` forces by name, `true` for one that forces any, undefined for those that force none. */
function forced(subject: Subject): string | true | undefined {
  const choice = requestJson(subject)["tool_choice"];
  if (choice === "required") return true;
  const name = isObject(choice) && isObject(choice["function"]) ? choice["function"]["name"] : undefined;
  return typeof name === "string" ? name : undefined;
}

const choiceDeclared: Rule = {
  clause: "chat-completions.tools.tool-choice-declared",
  applies: (subject) => forced(subject) !== undefined && declaredNames(subject) !== undefined,
  *check(subject) {
    const wanted = forced(subject);
    const declared = declaredNames(subject) ?? [];
    if (wanted === true ? declared.length > 0 : declared.includes(wanted ?? "")) return;
    yield {
      side: "request",
      in: "body",
      pointer: "/tool_choice",
      expected: wanted === true || declared.length === 0 ? "tools to choose from" : "the name of a tool in tools",
      actual: requestJson(subject)["tool_choice"],
      reading: { id: "C-TC-NO-TOOLS", default: "warning", strict: "error" },
    };
  },
  spoil: (exchange) => editJson(exchange, "request", (body: Editable) => void delete body["tools"]),
};

/** The user's approximate location, or an empty object. */
function location(subject: Subject): Readonly<Record<string, unknown>> {
  const options = requestJson(subject)["web_search_options"];
  const user = isObject(options) ? options["user_location"] : undefined;
  return isObject(user) && isObject(user["approximate"]) ? user["approximate"] : {};
}

/** One member of the location; `decidable` keeps the rule off texts whose shape another clause already judges. */
function locationRule(
  clause: string,
  member: string,
  expected: string,
  holds: (text: string) => boolean,
  wrong: string,
  decidable: RegExp,
): Rule {
  return {
    clause,
    applies(subject) {
      const value = location(subject)[member];
      return typeof value === "string" && decidable.test(value);
    },
    *check(subject) {
      const actual = location(subject)[member];
      if (typeof actual === "string" && !holds(actual))
        yield {
          side: "request",
          in: "body",
          pointer: `/web_search_options/user_location/approximate/${member}`,
          expected,
          actual,
        };
    },
    spoil: (exchange) =>
      editJson(
        exchange,
        "request",
        (body: { web_search_options: { user_location: { approximate: Editable } } }) =>
          void (body.web_search_options.user_location.approximate[member] = wrong),
      ),
  };
}

export const rules: readonly Rule[] = [
  choiceDeclared,
  locationRule(
    "chat-completions.tools.country-assigned",
    "country",
    "an assigned ISO 3166 country code",
    isCountry,
    "QQ",
    /^[A-Za-z]{2}$/,
  ),
  locationRule(
    "chat-completions.tools.timezone-name",
    "timezone",
    "an IANA time zone name",
    isTimeZone,
    "Mars/Olympus",
    /^/,
  ),
  deprecatedMember("chat-completions.tools.functions-deprecated", "functions", "tools", (body) => {
    body["functions"] = [{ name: "look_up" }];
  }),
  deprecatedMember("chat-completions.tools.function-call-deprecated", "function_call", "tool_choice", (body) => {
    body["function_call"] = "auto";
  }),
];
