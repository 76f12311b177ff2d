/** The page of several targets side by side. */
import { render } from "preact";
import type { ComparePageData } from "../../report/side-by-side/page-data.ts";
import { readBlock } from "../components/blocks.ts";
import { Page } from "./page.tsx";

const root = document.getElementById("page")!;
readBlock<ComparePageData>(0).then(
  (data) => {
    root.replaceChildren();
    render(<Page data={data} />, root);
  },
  (error: unknown) => root.replaceChildren(`This page cannot be shown here: ${error}`),
);
