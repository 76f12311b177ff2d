/** An exchange of each side that shows a change: what was asked and answered, the place marked in both. */
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Change } from "../../drift/document.ts";
import { printable } from "../../report/clean.ts";
import { exampleKey, exchangeShown, type SideName } from "../../report/drift/example-key.ts";
import type { DriftPage } from "../../report/drift/page.ts";
import type { ViewedExchange } from "../../view/viewed.ts";
import { readBlock } from "../components/blocks.ts";
import { Exchange } from "../components/exchange.tsx";
import { markOfChange } from "./marked-place.ts";

interface ExamplesProps {
  readonly change: Change;
  readonly examples: DriftPage["examples"];
}

interface Example {
  readonly side: SideName;
  readonly exchange: ViewedExchange;
}

const words: Readonly<Record<SideName, string>> = { before: "before", after: "now" };

/** The examples that stand in the page. */
async function read({ change: { seen }, examples }: ExamplesProps): Promise<Example[]> {
  const read = (["before", "after"] as const).map(async (side): Promise<Example[]> => {
    const name = exchangeShown(seen[side]);
    const place = name && examples[exampleKey(side, name)];
    if (!place) return [];
    return [{ side, exchange: (await readBlock<ViewedExchange[]>(place[0]))[place[1]]! }];
  });
  return (await Promise.all(read)).flat();
}

function Shown({ change, example: { side, exchange } }: { readonly change: Change; readonly example: Example }) {
  const marks = useMemo(() => {
    const stood = side === "before" ? change.before : change.after;
    return [markOfChange(change, exchange, `${words[side]} ${printable(stood ?? "nothing")}`)];
  }, [change, exchange]);
  return (
    <section class="drift-example" aria-label={`Exchange ${words[side]}`}>
      <h3>
        {words[side]}{" "}
        <span class="soft">
          {printable(exchange.source)}, exchange {exchange.exchange}
        </span>
      </h3>
      <Exchange exchange={exchange} marks={marks} />
    </section>
  );
}

/** Folded; read and shown once it is opened. */
export function ChangeExamples({ change, examples }: ExamplesProps): JSX.Element | null {
  const [shown, setShown] = useState<readonly Example[] | string>();
  const has = (["before", "after"] as const).some((side) => {
    const name = exchangeShown(change.seen[side]);
    return name !== null && examples[exampleKey(side, name)] !== undefined;
  });
  if (!has) return null;
  const open = (): void => {
    if (shown === undefined)
      read({ change, examples }).then(setShown, (error: unknown) => setShown(`It cannot be read here: ${error}`));
  };
  return (
    <details class="drift-examples" onToggle={open}>
      <summary>Request and answer</summary>
      {typeof shown === "string" ? (
        <p>{shown}</p>
      ) : (
        <div class="drift-pair">
          {shown?.map((example) => (
            <Shown key={example.side} change={change} example={example} />
          ))}
        </div>
      )}
    </details>
  );
}
