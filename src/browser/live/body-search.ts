/** Searches the bodies of a session for words: a stretch at a time, from the latest exchange to the first. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { SearchAnswered } from "../../live/protocol.ts";
import { counted } from "../components/shown.ts";
import { fetchJson } from "./session.ts";

interface BodySearch {
  readonly found: ReadonlySet<number>;
  /** How far it is, as the filter row says it; empty once all were searched. */
  readonly progress: string;
}

const idle: BodySearch = { found: new Set(), progress: "" };

/** Milliseconds after a key before the search begins, and between looks for exchanges that came since. */
const pause = 300;

const paused = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, pause));

/**
 * @param words empty where nothing is searched for
 * @param count exchanges of the session; those that come later are searched as they come
 */
export function useBodySearch(words: readonly string[], count: number): BodySearch {
  const [search, setSearch] = useState(idle);
  const latest = useRef(count);
  latest.current = count;
  const key = JSON.stringify(words);
  useEffect(() => {
    setSearch(idle);
    if (words.length === 0) return;
    let isOver = false;
    async function go(): Promise<void> {
      const found = new Set<number>();
      for (let searched = 0; ; ) {
        await paused();
        const top = latest.current;
        for (let before = top; before > searched && !isOver; ) {
          setSearch({ found: new Set(found), progress: `, ${counted(before - searched)} more to search` });
          const answered = await fetchJson<SearchAnswered>("/search", { words, before });
          for (const exchange of answered.found) found.add(exchange);
          before = answered.before;
        }
        if (isOver) return;
        if (top > searched) setSearch({ found: new Set(found), progress: "" });
        searched = top;
      }
    }
    go().catch((error: Error) => isOver || setSearch({ ...idle, progress: `, ${error.message}` }));
    return () => {
      isOver = true;
    };
  }, [key]);
  return search;
}
