/** The page about gateways or clients: one, or several side by side. */
import { render } from "preact";
import type { OutcomePageData } from "../../report/outcomes/page-data.ts";
import { readBlock } from "../components/blocks.ts";
import { Page } from "./page.tsx";

const root = document.getElementById("page")!;
root.className = "judged";
readBlock<OutcomePageData>(0).then(
  (data) => {
    root.replaceChildren();
    render(<Page data={data} />, root);
  },
  (error: unknown) => root.replaceChildren(`This page cannot be shown here: ${error}`),
);
