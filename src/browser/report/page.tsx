/** The whole page, from top to bottom. */
import type { JSX } from "preact";
import type { PageData } from "../../report/page/data.ts";
import { Top } from "./top.tsx";

export function Page({ data }: { readonly data: PageData }): JSX.Element {
  return (
    <>
      <Top data={data} />
      <main />
    </>
  );
}
