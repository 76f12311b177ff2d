/** Judges exchanges in memory, in this process, and gives the document that the same exchanges in a recording would get. */
import type { Catalogue } from "../check/catalogue.ts";
import type { Finding, Level, Side } from "../check/clause.ts";
import { judge } from "../check/judge.ts";
import { createHeadJudge } from "../check/judge-heads.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { type JudgingArgs, judgingFrom } from "../interfaces/judging.ts";
import { redact } from "../redact/redact.ts";
import { differencesOf, explainedDocument } from "../verdict/divergence.ts";
import type { CheckDocument } from "../verdict/document.ts";
import { createChoice } from "../verdict/finding-sample.ts";
import { createOperations } from "../verdict/operations.ts";
import { createTally } from "../verdict/tally.ts";
import type { Exchange } from "../wire/exchange.ts";
import { createSessionLaws } from "./session-laws.ts";

export interface ExchangesOptions extends JudgingArgs {
  /** Only findings of this side. */
  readonly side?: Side | undefined;
  /** The least level that fails a clause; `error` unless said. */
  readonly level?: Level | undefined;
}

/** The source of findings about exchanges in memory. */
const source = "memory";

/** Judges with a catalogue that is there. Throws UserError for options that cannot be met. */
export function judgeExchangesWith(
  catalogue: Catalogue,
  exchanges: readonly Exchange[],
  options: ExchangesOptions = {},
): CheckDocument {
  const { names, policy, diverges } = judgingFrom(options, catalogue);
  const { side, level = "error" } = options;
  const keepHeaders = names.ownHeaders.map(({ own }) => own);
  const heads = createHeadJudge(catalogue, names);
  const tally = createTally(catalogue.clauses, level, false);
  const operations = createOperations();
  const choice = createChoice();
  const findings: Finding[] = [];
  const judgeSession = createSessionLaws(catalogue.clauses);
  for (const [exchange, raw] of exchanges.entries()) {
    const safe = redact(raw, { keepHeaders, heads });
    const judgement = judge(safe, { source, exchange }, catalogue, { names, policy, ...(side && { side }) });
    tally.addJudgement(judgement, { source, exchange });
    const together = judgeSession(judgement.session, { source, exchange })?.evidence;
    if (together) tally.add(together);
    findings.push(...[...judgement.findings, ...(together?.findings ?? [])].filter(choice.takes));
    const { method, target } = safe.request;
    const { operation } = judgement;
    operations.add({ operation: operation ?? `${method} ${target.split("?", 1)[0]}`, known: operation !== null });
  }
  const document = { ...tally.document(true, choice), findings, operations: operations.list() };
  return explainedDocument(document, differencesOf(diverges));
}

/** Judges; credentials are taken out before, so that no finding quotes one. Throws UserError for options that cannot be met. */
export async function judgeExchanges(
  exchanges: readonly Exchange[],
  options: ExchangesOptions = {},
): Promise<CheckDocument> {
  return judgeExchangesWith(await openCatalogue(options.documents), exchanges, options);
}
