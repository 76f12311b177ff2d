/** Renders Markdown by GitHub's dialect, and reads it as the HTML that comes of it. */
import { DOMParser } from "@xmldom/xmldom";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/** As GitHub renders it, before it takes out what it deems dangerous. */
export function rendered(markdown: string) {
  const page = micromark(markdown, {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
  const document = new DOMParser({
    onError: (_level, message) => {
      throw new Error(`${message}: ${page.slice(0, 3000)}`);
    },
  }).parseFromString(`<div>${page}</div>`, "text/xml");
  const all = [...document.documentElement!.getElementsByTagName("*")];
  return {
    elements: new Set(all.map(({ tagName }) => tagName)),
    texts: (name: string) => all.filter(({ tagName }) => tagName === name).map(({ textContent }) => textContent ?? ""),
    /** Tables' rows, each with its cells. */
    rows: all
      .filter(({ tagName }) => tagName === "tr")
      .map(({ childNodes }) =>
        [...childNodes].filter(({ nodeName }) => /^t[dh]$/.test(nodeName)).map(({ textContent }) => textContent ?? ""),
      ),
    /** Texts in which GitHub looks for names to call and addresses to link. */
    searched: all
      .filter(({ tagName }) => tagName !== "code" && tagName !== "pre")
      .flatMap(({ childNodes }) => [...childNodes].filter(({ nodeType }) => nodeType === 3))
      .map(({ nodeValue }) => nodeValue ?? ""),
  };
}
