/** The text in place of the list before anything was sent: how clients are pointed at the recorder. */
import type { JSX } from "preact";
import { Copy } from "../components/copy.tsx";

/** Variables that the vendors' SDKs read their address from, and the path that belongs to it. */
const variables: readonly (readonly [variable: string, path: string])[] = [
  ["OPENAI_BASE_URL", "/v1"],
  ["ANTHROPIC_BASE_URL", ""],
  ["GOOGLE_GEMINI_BASE_URL", ""],
];

/** @param url where the recorder listens */
export function FirstSteps({ url }: { readonly url: string }): JSX.Element {
  return (
    <div class="first-steps">
      <p>Nothing was sent yet. Point a client at the recorder:</p>
      <ul class="plain">
        {variables.map(([variable, path]) => {
          const line = `export ${variable}=${url}${path}`;
          return (
            <li key={variable}>
              <code>{line}</code> <Copy text={line} what={variable} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}
