/** A probe beside the good request that it was made from: what was changed, and what came of either. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { ViewedExchange } from "../../view/viewed.ts";
import { changesOf } from "./changes.ts";
import { plural } from "./shown.ts";
import { Shown } from "./text.tsx";

const answerOf = ({ response }: ViewedExchange): string =>
  response === null ? "not answered" : `answered ${response.status}${response.reason ? ` ${response.reason}` : ""}`;

function ValueShown({ text }: { readonly text: string | undefined }): JSX.Element {
  return text === undefined ? <em>nothing</em> : <Shown of={{ text }} first={200} />;
}

interface TwinProps {
  readonly twin: ViewedExchange;
  readonly probe: ViewedExchange;
}

/** The differences in a table, and what either request came to. */
export function Changes({ twin, probe }: TwinProps): JSX.Element {
  const changes = useMemo(() => changesOf(twin, probe), [twin, probe]);
  return (
    <section class="twin">
      <h2>The good request beside it</h2>
      <p>
        The same request but for {plural(changes.length, "place")} was <b>{answerOf(twin)}</b>; this one was{" "}
        <b>{answerOf(probe)}</b>.
      </p>
      <div class="scroll">
        <table class="changes">
          <thead>
            <tr>
              <th scope="col">where</th>
              <th scope="col">twin</th>
              <th scope="col">probe</th>
            </tr>
          </thead>
          <tbody>
            {changes.slice(0, 20).map(({ in: place, pointer, before, after }, i) => (
              <tr key={i}>
                <th scope="row" class="mono">
                  {place} <Shown of={{ text: pointer }} />
                </th>
                <td class="mono was">
                  <ValueShown text={before} />
                </td>
                <td class="mono is">
                  <ValueShown text={after} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {changes.length > 20 && <p class="soft">and {changes.length - 20} more</p>}
    </section>
  );
}
