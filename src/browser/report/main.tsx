/** The page about one target. */
import { render } from "preact";
import type { PageData } from "../../report/page/data.ts";
import { readBlock } from "../components/blocks.ts";
import { Page } from "./page.tsx";

const root = document.getElementById("page")!;
root.className = "judged";
readBlock<PageData>(0).then(
  (data) => {
    root.replaceChildren();
    render(<Page data={data} />, root);
  },
  (error: unknown) => root.replaceChildren(`This page cannot be shown here: ${error}`),
);
