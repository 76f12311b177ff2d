/** The beginning: what it came to, what is wrong, and where. */
import type { JSX } from "preact";
import { useLayoutEffect, useMemo } from "preact/hooks";
import { hrefTo } from "../components/route.ts";
import { causesOf } from "./causes.ts";
import { CauseChapter, Chapter, Clients, Incidents, Laws, OpenQuestions, Unenforced, Unjudged } from "./chapters.tsx";
import { Grid } from "./grid.tsx";
import { useReport } from "./report.ts";
import { Top } from "./top.tsx";

/** @param chapter the id of the one to begin at */
export function Overview({ chapter }: { readonly chapter: string | undefined }): JSX.Element {
  const report = useReport();
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
      <CauseChapter id="failing" title="What fails" causes={causes.failing} all={listOf("fail")} />
      <Incidents />
      <Chapter id="grid" title="Where: interface by section">
        <Grid />
      </Chapter>
      <CauseChapter
        id="field"
        title="Would the official clients work? What the documents leave open"
        causes={causes.field}
        all={listOf("warning")}
      />
      <CauseChapter id="warnings" title="Warnings" causes={causes.warnings} all={listOf("warning")} />
      <Unenforced />
      <Laws />
      <Clients />
      <CauseChapter id="expected" title="Known failures" causes={causes.expected} all={listOf("expected")} />
      <CauseChapter id="notes" title="Notes" causes={causes.notes} all={hrefTo(["clauses"])} />
      <Unjudged />
      <OpenQuestions />
    </main>
  );
}
