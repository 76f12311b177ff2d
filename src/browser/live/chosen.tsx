/** One exchange of the cassette whole, what was found in it, and its request sent once more. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Detail, Row } from "../../live/protocol.ts";
import { visible } from "../components/shown.ts";
import { DetailShown, Head } from "./beside.tsx";
import { SendAgain } from "./send-again.tsx";
import { fetchJson, type Known } from "./session.ts";

interface ChosenProps {
  readonly exchange: number;
  /** Absent until it is judged. */
  readonly row: Row | undefined;
  readonly known: Known;
}

/** JSON on several lines; as it stands where reading it would change it, as with numbers beyond those of JavaScript. */
function indented(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}

/** The text of the request's body; undefined where the page lacks some of it. */
function bodyText({ exchange }: Detail): string | undefined {
  const { body } = exchange.request;
  if (body?.kind !== "json" && body?.kind !== "text") return undefined;
  if (body.cuts || body.broken || body.images) return undefined;
  return body.kind === "json" ? indented(body.text) : body.text;
}

export function Chosen({ exchange, row, known }: ChosenProps): JSX.Element {
  const [detail, setDetail] = useState<Detail>();
  const [problem, setProblem] = useState<string>();
  const isJudged = row !== undefined;
  useEffect(() => {
    let isGone = false;
    setProblem(undefined);
    fetchJson<Detail>(`/exchange/${exchange}`).then(
      (got) => isGone || setDetail(got),
      (error: Error) => isGone || setProblem(error.message),
    );
    return () => {
      isGone = true;
    };
  }, [exchange, isJudged]);
  return (
    <>
      <Head>
        Exchange {exchange} {row && <span class="mono">{visible(row.asked)}</span>}
      </Head>
      {problem !== undefined && <p class="problem">{visible(problem)}</p>}
      {detail ? <DetailShown detail={detail} /> : problem === undefined && <p class="soft">Reading…</p>}
      {detail && <SendAgain exchange={exchange} text={bodyText(detail)} known={known} />}
    </>
  );
}
