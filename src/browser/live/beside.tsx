/** The part beside the list: its head, and one exchange as the report page shows evidence. */
import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Detail } from "../../live/protocol.ts";
import type { PageClause } from "../../report/page/data.ts";
import { Evidence } from "../components/evidence.tsx";
import { hrefTo } from "../components/route.ts";

/** The head of what is shown beside the list, which is moved to when it opens. */
export function Head({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    heading.current?.focus({ preventScroll: true });
    // When the list comes back, it is where it was left.
    const before = window.scrollY;
    if (heading.current!.getBoundingClientRect().top >= 0) return;
    window.scrollTo(0, 0);
    return () => void requestAnimationFrame(() => window.scrollTo(0, before));
  }, []);
  return (
    <div class="chosen-head">
      <h2 ref={heading} tabIndex={-1}>
        {children}
      </h2>
      <a class="close" href={hrefTo([])}>
        Close
      </a>
    </div>
  );
}

/** A detail as the report page shows evidence. */
export function DetailShown({ detail }: { readonly detail: Detail }): JSX.Element {
  const { exchange, findings, clauses, readings, curl, unjudged } = detail;
  const known = useMemo(
    () =>
      new Map(
        clauses.map((clause): [string, PageClause] => [
          clause.id,
          { ...clause, verdict: "fail", exercised: 1, failed: 1 },
        ]),
      ),
    [clauses],
  );
  return (
    <>
      {findings.length === 0 && (
        <p class="soft">{unjudged === undefined ? "Nothing was found in it." : `No findings: ${unjudged}.`}</p>
      )}
      <h3 class="hidden">What was found, and what passed</h3>
      <Evidence
        evidence={{ findings, exchange, ...(curl !== undefined && { curl }) }}
        clauses={known}
        readings={readings}
      />
    </>
  );
}
