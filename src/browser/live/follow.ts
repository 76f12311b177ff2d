/** Shows the newest exchange as it comes, until another one is chosen. */
import { useEffect, useRef, useState } from "preact/hooks";
import { hrefTo } from "../components/route.ts";

/**
 * @param newest the newest exchange that the list shows
 * @param path what the address names
 * @returns whether the page follows, and what turns that on or off
 */
export function useFollow(
  newest: number | undefined,
  [kind, number]: readonly string[],
): readonly [boolean, (isOn: boolean) => void] {
  const [isOn, setOn] = useState(false);
  const followed = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (!isOn || newest === undefined) return;
    followed.current = newest;
    location.replace(hrefTo(["exchange", String(newest)]));
  }, [isOn, newest]);
  useEffect(() => {
    const isFollowed = kind === "exchange" && Number(number) === followed.current;
    if (isOn && followed.current !== undefined && !isFollowed) setOn(false);
  }, [kind, number]);
  return [isOn, setOn];
}
