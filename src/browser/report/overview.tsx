/** The beginning: the verdict, what fails, what works, and the rest. */
import type { JSX } from "preact";
import { useLayoutEffect, useMemo } from "preact/hooks";
import { Foot } from "../components/foot.tsx";
import { hrefTo } from "../components/route.ts";
import { causesOf } from "./causes.ts";
import {
  CauseChapter,
  Chapter,
  Clients,
  Compared,
  Incidents,
  Laws,
  NeverAnswered,
  NotOffered,
  OpenQuestions,
  Unjudged,
} from "./chapters.tsx";
import { Grid } from "./grid.tsx";
import { How } from "./how.tsx";
import { useReport } from "./report.ts";
import { Top } from "./top.tsx";
import { Works } from "./works.tsx";

/** @param chapter the id of the one to begin at */
export function Overview({ chapter }: { readonly chapter: string | undefined }): JSX.Element {
  const report = useReport();
  const { data } = report;
  const causes = useMemo(() => causesOf(report), [report]);
  useLayoutEffect(() => {
    if (chapter === undefined) return;
    const section = document.getElementById(chapter);
    section?.scrollIntoView();
    section?.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
  }, [chapter]);
  const listOf = (verdict: string): string => hrefTo(["clauses"], { verdict });
  return (
    <main>
      <Top />
      <CauseChapter id="failing" title="What fails" causes={causes.failing} all={listOf("fail")} opensFirst />
      <Incidents />
      <NeverAnswered />
      <Works />
      <NotOffered />
      <Compared />
      <CauseChapter id="inherited" title="Also fails upstream" causes={causes.inherited} all={listOf("inherited")} />
      <CauseChapter id="expected" title="Known failures" causes={causes.expected} all={listOf("expected")} />
      <CauseChapter id="warnings" title="Warnings" causes={causes.warnings} all={listOf("warning")} />
      <CauseChapter
        id="field"
        title="What clients rely on"
        note="no document requires it"
        causes={causes.field}
        all={listOf("warning")}
      />
      <Chapter id="grid" title="By section">
        <Grid />
      </Chapter>
      <Laws />
      <Clients />
      <CauseChapter id="notes" title="Notes" causes={causes.notes} all={hrefTo(["clauses"])} />
      <Unjudged />
      <OpenQuestions />
      <How />
      <Foot facts={data.facts} isVerifiable={data.kind === "run"} />
    </main>
  );
}
