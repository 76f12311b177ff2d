/** Saves the chosen exchanges as a cassette that a run can send. */
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { CassetteAnswered, Row, SaveAnswered, SaveAsked } from "../../live/protocol.ts";
import { Copy } from "../components/copy.tsx";
import { plural, visible } from "../components/shown.ts";
import { fetchJson, type Known } from "./session.ts";

interface SaveProps {
  readonly known: Known;
  readonly picked: ReadonlySet<number>;
  /** Rows of the list as it is narrowed. */
  readonly all: readonly Row[];
  readonly setPicked: (exchanges: Iterable<number>) => void;
}

/** As the server bounds it. */
const maxPicked = 1_000;

async function download(asked: SaveAsked): Promise<void> {
  const { text } = await fetchJson<CassetteAnswered>("/cassette", asked);
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${asked.name}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The interface that most of the chosen speak. */
function usualInterface(rows: readonly Row[], picked: ReadonlySet<number>): string | undefined {
  const counts = new Map<string, number>();
  for (const { exchange, interface: of } of rows)
    if (of !== undefined && picked.has(exchange)) counts.set(of, (counts.get(of) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

type Outcome = { readonly problem: string } | SaveAnswered | { readonly downloaded: string };

export function Save({ known, picked, all, setPicked }: SaveProps): JSX.Element {
  const sections = known.session?.sections ?? {};
  // A run sends what the documents describe.
  const fit = all.filter((row) => row.interface !== undefined);
  const usual = useMemo(() => usualInterface(known.rows, picked), [known.rows, picked]);
  const [chosen, setChosen] = useState<string>();
  const of = chosen ?? usual ?? Object.keys(sections)[0] ?? "";
  const own = sections[of] ?? [];
  const [wanted, setSection] = useState("");
  const section = own.includes(wanted) ? wanted : own.includes("response") ? "response" : (own[0] ?? "");
  const [name, setName] = useState("");
  const [outcome, setOutcome] = useState<Outcome>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => setOutcome(undefined), [picked, of, section, name]);

  async function save(event: Event, how: "write" | "download"): Promise<void> {
    event.preventDefault();
    const form = (event.currentTarget as HTMLElement).closest("form")!;
    if (!form.reportValidity()) return;
    const asked: SaveAsked = { exchanges: [...picked], interface: of, section, name };
    setBusy(true);
    try {
      if (how === "write") setOutcome(await fetchJson<SaveAnswered>("/save", asked));
      else await download(asked).then(() => setOutcome({ downloaded: `${name}.json` }));
    } catch (error) {
      setOutcome({ problem: (error as Error).message });
    } finally {
      setBusy(false);
    }
  }

  return (
    <section class="save" aria-label="save the chosen exchanges">
      <form onSubmit={(event) => save(event, "write")}>
        <p class="how-many">
          <b>{plural(picked.size, "exchange")} chosen</b>{" "}
          <button type="button" onClick={() => setPicked(fit.slice(0, maxPicked).map(({ exchange }) => exchange))}>
            all listed
          </button>{" "}
          <button type="button" onClick={() => setPicked([])}>
            none
          </button>
        </p>
        <label>
          interface
          <select value={of} onChange={(event) => setChosen(event.currentTarget.value)}>
            {Object.keys(sections).map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label>
          section
          <select value={section} onChange={(event) => setSection(event.currentTarget.value)}>
            {own.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label>
          name
          <input
            required
            pattern="[a-z0-9][a-z0-9\-]{0,63}"
            title="small letters, digits and dashes"
            placeholder="stream-with-tools"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={isBusy}>
          Save for run
        </button>
        <button type="button" disabled={isBusy} onClick={(event) => save(event, "download")}>
          Download
        </button>
      </form>
      <div role="status">
        {outcome && "problem" in outcome && <p class="problem">{visible(outcome.problem)}</p>}
        {outcome && "downloaded" in outcome && <p>{outcome.downloaded} is downloaded.</p>}
        {outcome && "path" in outcome && (
          <>
            <p>
              Saved: <code>{visible(outcome.path)}</code>
            </p>
            <p>
              <code>{visible(outcome.command)}</code> <Copy text={outcome.command} what="the command" />
            </p>
            {outcome.notes.map((note, i) => (
              <p key={i} class="soft">
                {visible(note)}
              </p>
            ))}
          </>
        )}
      </div>
    </section>
  );
}
