/** Sends a request once more: to the upstream, through the recorder, or to another service. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Detail, SendAnswered } from "../../live/protocol.ts";
import { visible } from "../components/shown.ts";
import { DetailShown } from "./beside.tsx";
import { fetchJson, type Known } from "./session.ts";

type Outcome =
  | { readonly says: string }
  | { readonly problem: string }
  | { readonly detail: Detail; readonly to: string };

interface SendAgainProps {
  readonly exchange: number;
  /** The text of its body, where the page has all of it. */
  readonly text: string | undefined;
  readonly known: Known;
}

export function SendAgain({ exchange, text, known }: SendAgainProps): JSX.Element {
  const [body, setBody] = useState<string>();
  const [isElsewhere, setElsewhere] = useState(false);
  const [address, setAddress] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const keys = known.session?.keys ?? [];

  async function send(event: Event): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setOutcome(undefined);
    try {
      const to = isElsewhere ? address.trim() : null;
      const answered = await fetchJson<SendAnswered>("/send", {
        exchange,
        to,
        ...(body !== undefined && { body }),
      });
      if ("detail" in answered) setOutcome({ detail: answered.detail, to: to ?? "" });
      else setOutcome({ says: `Answered with ${answered.status}. It is kept, and the latest in the list.` });
    } catch (error) {
      setOutcome({ problem: (error as Error).message });
    } finally {
      setBusy(false);
    }
  }

  return (
    <section class="again" aria-labelledby="again">
      <h3 id="again">Send again</h3>
      <form onSubmit={send}>
        <fieldset>
          <legend class="hidden">where to</legend>
          <label>
            <input type="radio" name="to" checked={!isElsewhere} onChange={() => setElsewhere(false)} /> to the
            upstream, through the recorder
          </label>
          <label>
            <input type="radio" name="to" checked={isElsewhere} onChange={() => setElsewhere(true)} /> to another
            service
          </label>
        </fieldset>
        {isElsewhere && (
          <label class="address">
            Base URL
            <input
              type="url"
              required
              value={address}
              placeholder="http://127.0.0.1:4400"
              onInput={(event) => setAddress(event.currentTarget.value)}
            />
          </label>
        )}
        {body !== undefined && (
          <label class="edited">
            Body
            <textarea
              rows={12}
              spellcheck={false}
              value={body}
              onInput={(event) => setBody(event.currentTarget.value)}
            />
          </label>
        )}
        <button type="submit" disabled={isBusy}>
          {isBusy ? "Waiting for the answer…" : "Send"}
        </button>{" "}
        {text !== undefined && (
          <button type="button" onClick={() => setBody(body === undefined ? text : undefined)}>
            {body === undefined ? "Edit the body" : "Undo edits"}
          </button>
        )}
        <p class="soft">
          {keys.length === 0
            ? "Recordings keep no keys, and no TOUCHSTONE_KEY is in the recorder's environment: requests that need one are not sent."
            : `The key of ${keys.join(", ")} goes with it.`}
          {isElsewhere && " What comes is shown here, and kept nowhere."}
        </p>
      </form>
      <div role="status">
        {outcome && "says" in outcome && <p>{outcome.says}</p>}
        {outcome && "problem" in outcome && <p class="problem">{visible(outcome.problem)}</p>}
      </div>
      {outcome && "detail" in outcome && (
        <section class="answer-again" aria-label="what came">
          <p>
            <b>From {visible(outcome.to)}</b>
          </p>
          <DetailShown detail={outcome.detail} />
        </section>
      )}
    </section>
  );
}
