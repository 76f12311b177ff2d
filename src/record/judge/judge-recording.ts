/** Judges the next exchanges of a recording, in the judge's own process. */
import type { Catalogue } from "../../check/catalogue.ts";
import { judge } from "../../check/judge.ts";
import type { ReportProgress } from "./batch.ts";
import { createDocumentJudge } from "./document.ts";
import { createJsonlJudge } from "./jsonl.ts";
import type { BatchRequest, BatchResult, JudgeSettings } from "./messages.ts";

/** Judges what is asked for, and reports what it works on before it begins with it. */
export type RecordingJudge = (request: BatchRequest, report: ReportProgress) => Promise<BatchResult>;

/**
 * @param finished resolves when files grow no more
 * @param judgeOne judges an exchange; tests put one in its place that fails
 */
export function createRecordingJudge(
  settings: JudgeSettings,
  catalogue: Catalogue,
  finished: Promise<void>,
  judgeOne: typeof judge = judge,
): RecordingJudge {
  const judging = { settings, catalogue, judgeOne };
  const judgeJsonl = createJsonlJudge(judging, finished);
  const judgeDocument = createDocumentJudge(judging);
  return (request, report) =>
    request.head ? judgeJsonl(request, request.head, report) : judgeDocument(request, report);
}
