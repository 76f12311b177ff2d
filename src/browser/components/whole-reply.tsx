/** The content of a reply that came whole, for people who read it. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { ReplyPart } from "../../check/reply-parts.ts";
import type { ViewedText } from "../../view/viewed.ts";
import { jsonNodes } from "./json-nodes.ts";
import { ReplyParts } from "./reply-parts.tsx";
import { partsOf } from "./stream-reading.ts";

interface WholeReplyProps {
  readonly body: ViewedText;
  readonly replyParts: readonly ReplyPart[];
}

export function WholeReply({ body, replyParts }: WholeReplyProps): JSX.Element {
  const parts = useMemo(() => {
    const json = jsonNodes(body.text);
    return partsOf(replyParts, () => json);
  }, [body, replyParts]);
  return (
    <details class="message-part">
      <summary>as it reads</summary>
      <ReplyParts parts={parts} />
    </details>
  );
}
