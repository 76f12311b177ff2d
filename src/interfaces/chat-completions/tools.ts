/** Rules on the tools of a chat request, the choice among them, and web search. */

import { type Grade, warns } from "../../check/clause.ts";
import type { Rule } from "../../check/rule.ts";
import type { Subject } from "../../check/subject.ts";
import { editJson } from "../../wire/edit.ts";
import { isObject } from "../../wire/json.ts";
import { deprecatedMember, type Editable } from "./reading/deprecated.ts";
import { rules as schemas } from "./tools/json-schemas.ts";
import { isCountry, isTimeZone } from "./tools/locations.ts";

/** Names of well-shaped tools; undefined where tools is ill-typed. No tools at all is an empty list (reading X-EMPTY). */
function declaredNames(subject: Subject): readonly string[] | undefined {
  const tools = subject.requestJson["tools"] ?? [];
  if (!Array.isArray(tools)) return undefined;
  const names: string[] = [];
  for (const tool of tools) {
    const name = isObject(tool) && isObject(tool["function"]) ? tool["function"]["name"] : undefined;
    if (typeof name !== "string") return undefined;
    names.push(name);
  }
  return names;
}

/** The function a `tool_choice` forces by a proper name, `true` for one that forces any, undefined for all others. */
function forced(subject: Subject): string | true | undefined {
  const choice = subject.requestJson["tool_choice"];
  if (choice === "required") return true;
  const name = isObject(choice) && isObject(choice["function"]) ? choice["function"]["name"] : undefined;
  return typeof name === "string" && /^[A-Za-z0-9_-]{1,64}$/.test(name) ? name : undefined;
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
      actual: subject.requestJson["tool_choice"],
      reading: warns("C-TC-NO-TOOLS"),
    };
  },
  spoil: (exchange) => editJson(exchange, "request", (body: Editable) => void delete body["tools"]),
};

/** The user's approximate location, or an empty object. */
function location(subject: Subject): Readonly<Record<string, unknown>> {
  const options = subject.requestJson["web_search_options"];
  const user = isObject(options) ? options["user_location"] : undefined;
  return isObject(user) && isObject(user["approximate"]) ? user["approximate"] : {};
}

interface LocationFault {
  readonly expected: string;
  readonly reading?: Grade;
}

/** One text of the location; `applies` keeps a rule off texts whose shape another clause already judges. */
function locationRule(
  clause: string,
  member: string,
  applies: RegExp,
  fault: (text: string) => LocationFault | undefined,
  wrong: string,
): Rule {
  const memberText = (subject: Subject): string | undefined => {
    const value = location(subject)[member];
    return typeof value === "string" && applies.test(value) ? value : undefined;
  };
  return {
    clause,
    applies: (subject) => memberText(subject) !== undefined,
    *check(subject) {
      const actual = memberText(subject) ?? "";
      const found = fault(actual);
      const pointer = `/web_search_options/user_location/approximate/${member}`;
      if (found) yield { side: "request", in: "body", pointer, actual, ...found };
    },
    spoil: (exchange) =>
      editJson(exchange, "request", (body: Search) => {
        body.web_search_options.user_location.approximate[member] = wrong;
      }),
  };
}

interface Search {
  readonly web_search_options: { readonly user_location: { readonly approximate: Editable } };
}

const twoLetters = /^[A-Za-z]{2}$/;

const places: readonly Rule[] = [
  locationRule(
    "chat-completions.tools.country-assigned",
    "country",
    twoLetters,
    (code) => (isCountry(code) ? undefined : { expected: "an assigned ISO 3166 country code" }),
    "QQ",
  ),
  locationRule(
    "chat-completions.tools.country-case",
    "country",
    twoLetters,
    (code) =>
      code === code.toUpperCase()
        ? undefined
        : {
            expected: JSON.stringify(code.toUpperCase()),
            reading: warns("C-WEB-COUNTRY"),
          },
    "be",
  ),
  locationRule(
    "chat-completions.tools.timezone-name",
    "timezone",
    /^/,
    (name) => (isTimeZone(name) ? undefined : { expected: "an IANA time zone name" }),
    "Mars/Olympus",
  ),
];

export const rules: readonly Rule[] = [
  choiceDeclared,
  ...schemas,
  ...places,
  deprecatedMember("chat-completions.tools.functions-deprecated", "functions", "tools", (body) => {
    body["functions"] = [{ name: "look_up" }];
  }),
  deprecatedMember("chat-completions.tools.function-call-deprecated", "function_call", "tool_choice", (body) => {
    body["function_call"] = "auto";
  }),
];
