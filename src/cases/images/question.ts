/** Asks for pictures without a library. */
import type { Assignment } from "../client-under-test.ts";

export function question({ key, prompt, wants }: Assignment) {
  return {
    path: "/v1/images/generations",
    headers: { authorization: `Bearer ${key}` },
    body: { prompt, ...(wants === "pictures" && { n: 3 }) },
  };
}
