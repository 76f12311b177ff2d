/** Names and values: headers, parameters of a query, trailers; marked where findings name one. */
import type { JSX } from "preact";
import { MarkNotes } from "./mark-notes.tsx";
import { type Mark, nameOf, worstOf } from "./marks.ts";
import { visible } from "./shown.ts";
import { Shown } from "./text.tsx";

type Pair = readonly [name: string, value: string];

interface PairsProps {
  readonly pairs: readonly Pair[];
  readonly marks: readonly Mark[];
  /** Names, as marks and redacted places have them, of values that were taken out. */
  readonly redacted: ReadonlySet<string>;
  /** Names of headers are the same in any case. */
  readonly isFolded?: boolean;
}

function PairRow({ marks, name, children }: { name: string; marks: readonly Mark[]; children: unknown }): JSX.Element {
  const level = worstOf(marks);
  return (
    <tr class={level && `marked m-${level}`} data-focus={marks.some(({ isFocus }) => isFocus) ? "" : undefined}>
      <th scope="row" class="mono">
        <Shown of={{ text: name }} first={120} />
      </th>
      <td class="mono">
        {children as JSX.Element}
        <MarkNotes marks={marks} />
      </td>
    </tr>
  );
}

export function Pairs({ pairs, marks, redacted, isFolded = false }: PairsProps): JSX.Element {
  const keyOf = (name: string): string => (isFolded ? name.toLowerCase() : name);
  const present = new Set(pairs.map(([name]) => keyOf(name)));
  const absent = marks.filter((mark) => nameOf(mark) !== "" && !present.has(keyOf(nameOf(mark))));
  return (
    <table class="pairs">
      <tbody>
        {pairs.map(([name, value], i) => (
          <PairRow key={i} name={name} marks={marks.filter((mark) => keyOf(nameOf(mark)) === keyOf(name))}>
            <Shown of={{ text: value }} first={300} />
            {redacted.has(keyOf(name)) && <span class="tag">credential taken out</span>}
          </PairRow>
        ))}
        {absent.map((mark, i) => (
          <PairRow key={`absent ${i}`} name={visible(nameOf(mark))} marks={[mark]}>
            <em>is not there</em>
          </PairRow>
        ))}
      </tbody>
    </table>
  );
}
