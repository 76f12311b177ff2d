/** What a reply that came whole says, for people who read it. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { ReplyPart } from "../../check/reply-parts.ts";
import type { ViewedText } from "../../view/viewed.ts";
import { jsonNodes } from "./json-nodes.ts";
import { SaidParts } from "./said.tsx";
import { partsOf } from "./stream-reading.ts";

interface WholeReplyProps {
  readonly body: ViewedText;
  readonly said: readonly ReplyPart[];
}

export function WholeReply({ body, said }: WholeReplyProps): JSX.Element {
  const parts = useMemo(() => {
    const json = jsonNodes(body.text);
    return partsOf(said, () => json);
  }, [body, said]);
  return (
    <details class="message-part">
      <summary>as it reads</summary>
      <SaidParts parts={parts} />
    </details>
  );
}
