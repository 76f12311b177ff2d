/** Commands that show something again, each with a button that copies it. */
import type { JSX } from "preact";
import type { Recheck } from "../../verdict/run-results.ts";
import { Copy } from "./copy.tsx";
import { counted, plural } from "./shown.ts";
import { Shown } from "./text.tsx";

interface Command {
  readonly says: string;
  readonly command: string;
}

/** The request alone, and the smallest that fails alike. */
export function commandsOf(curl: string | undefined, again: readonly Recheck[] = []): Command[] {
  const smallest = again.flatMap(({ smallest: one, clause }) => (one ? [{ ...one, clause }] : []));
  return [
    ...smallest.map(({ curl: command, bytes, from, clause }) => ({
      says: `Minimal reproducer${clause === undefined || smallest.length < 2 ? "" : ` (${clause})`}: ${counted(bytes)} of ${plural(from, "byte")}`,
      command,
    })),
    ...(curl === undefined ? [] : [{ says: "The request as curl", command: curl }]),
  ];
}

export function Commands({ commands }: { readonly commands: readonly Command[] }): JSX.Element | null {
  if (commands.length === 0) return null;
  return (
    <section class="commands">
      <h2>Reproduce</h2>
      {commands.map(({ says, command }, i) => (
        <div key={i} class="command">
          <p>
            {says} <Copy text={command} what={says} />
          </p>
          <pre class="lines">
            <Shown of={{ text: command }} lines first={1_500} />
          </pre>
        </div>
      ))}
    </section>
  );
}
