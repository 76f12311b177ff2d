/** The head of every table of this page: a column for each target. */
import type { JSX } from "preact";

interface ColumnHeadsProps {
  /** The kind of rows. */
  readonly first: string;
  readonly names: readonly string[];
}

export function ColumnHeads({ first, names }: ColumnHeadsProps): JSX.Element {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        {names.map((name, i) => (
          <th key={i} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}
