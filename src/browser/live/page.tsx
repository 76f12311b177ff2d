/** Exchanges of a session as they happen. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Store } from "./session.ts";

export function Page({ store }: { readonly store: Store }): JSX.Element {
  const [known, setKnown] = useState(store.now);
  useEffect(() => store.subscribe(() => setKnown(store.now())), [store]);
  return (
    <main>
      <h1>touchstone record</h1>
      <p>{known.flights.count} in flight</p>
      <ul>
        {known.rows.map(({ exchange, asked, status, errors }) => (
          <li key={exchange}>
            {status ?? "no answer"} {asked} {errors} errors
          </li>
        ))}
      </ul>
    </main>
  );
}
