/** Judges requests for `--enforce` in a thread of its own: a request comes in, how to refuse it goes out, or that it may pass. */
import { parentPort, workerData } from "node:worker_threads";
import { judge } from "../../check/judge.ts";
import { createHeadJudge } from "../../check/judge-heads.ts";
import { namesFrom } from "../../check/names.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { refusalOf } from "../../interfaces/refusal.ts";
import { redact } from "../../redact/redact.ts";
import type { WireRequest } from "../../wire/exchange.ts";
import { placeOf } from "../faults.ts";
import type { EnforcerAnswer, EnforcerSettings } from "./messages.ts";

const { documents, bindings, policy, keepHeaders, redact: sources } = workerData as EnforcerSettings;
const names = namesFrom(...bindings);
const catalogue = await openCatalogue(documents);
const options = {
  keepHeaders: [...keepHeaders, ...names.ownHeaders.map(({ own }) => own)],
  heads: createHeadJudge(catalogue, names),
  patterns: sources.map((source) => new RegExp(source, "i")),
};

/** A refusal quotes what was sent, so the request is judged as it will stand in the cassette. */
function answerTo(request: WireRequest): EnforcerAnswer {
  try {
    const exchange = redact({ request, response: null }, options);
    const { findings, tooMuch } = judge(exchange, { source: "", exchange: 0 }, catalogue, {
      names,
      policy,
      side: "request",
    });
    const refusal = refusalOf(findings, catalogue.interfaces);
    if (refusal) return { refusal };
    return tooMuch ? { unjudged: "there is too much to judge in it" } : {};
  } catch (error) {
    return { unjudged: `internal failure: ${placeOf(error as Error)}` };
  }
}

const say = (answer: EnforcerAnswer): void => parentPort?.postMessage(answer);
parentPort?.on("message", (request: WireRequest) => say(answerTo(request)));
say({ ready: true });
