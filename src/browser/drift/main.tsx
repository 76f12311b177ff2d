/** The page of what changed. */
import { render } from "preact";
import type { DriftPage } from "../../report/drift/page.ts";
import { readBlock } from "../components/blocks.ts";
import { Page } from "./page.tsx";

const root = document.getElementById("page")!;
readBlock<DriftPage>(0).then(
  (data) => {
    root.replaceChildren();
    render(<Page data={data} />, root);
  },
  (error: unknown) => root.replaceChildren(`This page cannot be shown here: ${error}`),
);
