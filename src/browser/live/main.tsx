/** The page of a recording session. */
import { render } from "preact";
import { Page } from "./page.tsx";
import { connect } from "./session.ts";

const root = document.getElementById("page")!;
root.replaceChildren();
render(<Page store={connect()} />, root);
