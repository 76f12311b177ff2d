/** The embedded reference implementation: deterministic, conformant, of all operations; answers one request at a time. */

import type { Answer, IncomingRequest } from "../check/answer.ts";
import { boundedOnce } from "../check/bounded-once.ts";
import type { Catalogue } from "../check/catalogue.ts";
import { type Finding, lenient } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { type Bindings, type Names, namesFrom } from "../check/names.ts";
import { routeOf } from "../check/route.ts";
import { readSubject } from "../check/subject.ts";
import { readPreset } from "../interfaces/judging.ts";
import type { WireRequest } from "../wire/exchange.ts";
import type { Reply } from "../wire/listen.ts";
import { pathOf } from "../wire/target.ts";
import { jsonReply } from "./answer.ts";
import { answer as chatCompletions } from "./chat-completions/index.ts";
import { answer as generateContent } from "./generate-content/index.ts";
import { answer as images } from "./images/index.ts";
import { answer as messages } from "./messages/index.ts";

const { names: vendorNames = {}, alternatives = {} } = readPreset("vendors");

/** Header names the vendors' SDKs send for the documents' neutral ones, and where else they put paths and keys; the reference takes either. */
export const sdkHeaders: Bindings = {
  names: Object.fromEntries(Object.entries(vendorNames).filter(([name]) => name.startsWith("partner-"))),
  alternatives,
};

const answers: Readonly<Record<string, Answer>> = {
  "chat-completions": chatCompletions,
  images,
  messages,
  "generate-content": generateContent,
};

/**
 * The handler for `listen`.
 * @param base asked at every request, since the port is known only once listening
 * @param own answers requests of users' own interfaces
 * @param refuses tells the faults for which a request is refused; every fault at error level by default
 */
export function createReference(
  catalogue: Catalogue,
  base: () => string,
  given: Names = namesFrom(sdkHeaders),
  own?: Answer,
  refuses: (fault: Finding) => boolean = () => true,
) {
  const names: Names = { ...given, alternatives: (name) => alternatives[name] ?? {} };
  return (request: WireRequest): Reply => {
    const exchange = { request, response: null };
    const { route, asked } = boundedOnce(catalogue.interfaces, () => {
      const route = routeOf(catalogue.interfaces, request.method, request.target);
      const asked: IncomingRequest = {
        request,
        subject: route && readSubject(exchange, route, names),
        faults: judge(exchange, { source: "", exchange: 0 }, catalogue, {
          names,
          policy: lenient,
          side: "request",
        }).findings.filter((fault) => fault.level === "error" && refuses(fault)),
        base: base(),
      };
      return { route, asked };
    });
    for (const { name, answer = catalogue.own.has(name) ? own : answers[name] } of catalogue.interfaces) {
      if (route && route.interface.name !== name) continue;
      const reply = answer?.(asked);
      if (reply) return reply;
    }
    return notFound(request);
  };
}

const notFound = ({ method, target }: WireRequest): Reply =>
  jsonReply(404, { error: { message: `no operation at ${method} ${pathOf(target)}` } });
