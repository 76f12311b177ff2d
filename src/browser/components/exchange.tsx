/** An exchange: what was asked and what was answered, with marked places. */
import type { JSX } from "preact";
import type { ViewedExchange, ViewedRequest, ViewedResponse } from "../../view/viewed.ts";
import { Body } from "./body.tsx";
import { MarkNotes } from "./mark-notes.tsx";
import { type Mark, marksIn } from "./marks.ts";
import { BodyPart, Headers, Line, Part, redactedIn, type SideProps } from "./message.tsx";
import { Pairs } from "./pairs.tsx";
import { lasted, plural, sized, visible } from "./shown.ts";
import { TargetText } from "./text.tsx";
import { WholeReply } from "./whole-reply.tsx";

function Request({ message, marks, origin }: SideProps<ViewedRequest> & { readonly origin?: string }): JSX.Element {
  const { method, target, body } = message;
  const from = target.indexOf("?");
  const [path, query] = from < 0 ? [target, ""] : [target.slice(0, from), target.slice(from + 1)];
  const pairs = [...new URLSearchParams(query)];
  const inQuery = marksIn(marks, "request", "query");
  return (
    <section class="message request">
      <h2>Request</h2>
      <Line marks={marksIn(marks, "request", "method", "path", "status")}>
        <b>{visible(method)}</b> {origin !== undefined && <span class="soft">{visible(origin)}</span>}
        <TargetText>{path}</TargetText>
      </Line>
      {(pairs.length > 0 || inQuery.length > 0) && (
        <Part title={plural(pairs.length, "query parameter")} isOpen marks={inQuery}>
          <Pairs pairs={pairs} marks={inQuery} redacted={redactedIn(message.redacted, "query")} />
        </Part>
      )}
      <Headers message={message} marks={marks} side="request" />
      <BodyPart message={message} marks={marksIn(marks, "request", "body", "form", "stream")} label="request body">
        {body && (
          <Body
            body={body}
            bytes={message.bytes}
            marks={marksIn(marks, "request", "body", "form", "stream")}
            label="request body"
          />
        )}
      </BodyPart>
    </section>
  );
}

function timesOf({ first, time }: ViewedResponse): string {
  return [
    ...(first === undefined ? [] : [`first byte after ${lasted(first)}`]),
    ...(time === undefined ? [] : [`all after ${lasted(time)}`]),
  ].join(", ");
}

interface ResponseProps extends SideProps<ViewedResponse> {
  readonly replyParts: NonNullable<ViewedExchange["replyParts"]>;
}

function Response({ message, marks, replyParts }: ResponseProps): JSX.Element {
  const { status, reason = "", body, trailers, upgraded } = message;
  const inBody = marksIn(marks, "response", "body", "form", "stream");
  return (
    <section class="message response">
      <h2>Answer</h2>
      <Line marks={marksIn(marks, "response", "status", "method", "path", "query")}>
        <b class={status < 300 ? "v-pass" : status < 400 ? "v-warning" : "v-fail"}>{status}</b>{" "}
        {reason !== "" && <TargetText>{reason}</TargetText>} <span class="soft">{timesOf(message)}</span>
      </Line>
      <Headers message={message} marks={marks} side="response" />
      <BodyPart message={message} marks={inBody} label="answer body">
        {body && <Body body={body} bytes={message.bytes} marks={inBody} label="answer body" replyParts={replyParts} />}
        {body?.kind === "json" && replyParts.length > 0 && <WholeReply body={body} replyParts={replyParts} />}
      </BodyPart>
      {trailers && (
        <Part title={plural(trailers.length, "trailer")} isOpen={false} marks={[]}>
          <Pairs pairs={trailers} marks={[]} redacted={redactedIn(message.redacted, "trailers")} isFolded />
        </Part>
      )}
      {upgraded && (
        <p class="soft">
          Then another protocol: {sized(upgraded.sent)} from the client, {sized(upgraded.received)} from the server,
          ended by the {upgraded.ended === "client" ? "client" : "server"}.
        </p>
      )}
    </section>
  );
}

interface ExchangeProps {
  readonly exchange: ViewedExchange;
  readonly marks: readonly Mark[];
}

/** Why an exchange was asked and when, in one line. */
export function Provenance({ exchange }: Pick<ExchangeProps, "exchange">): JSX.Element {
  const { part, started = Number.NaN } = exchange;
  const at = Number.isNaN(new Date(started).getTime()) ? undefined : new Date(started).toISOString();
  return (
    <p class="soft">
      {part}
      {part !== undefined && at !== undefined && ", "}
      {at !== undefined && <time dateTime={at}>{at.replace("T", " ").replace("Z", " UTC")}</time>}
    </p>
  );
}

export function Exchange({ exchange, marks }: ExchangeProps): JSX.Element {
  const { request, response, origin, aborted, failure, replyParts = [] } = exchange;
  const onResponse = marks.filter(({ side }) => side === "response");
  return (
    <div class="exchange">
      <Request message={request} marks={marks} {...(origin !== undefined && { origin })} />
      {response ? (
        <Response message={response} marks={marks} replyParts={replyParts} />
      ) : (
        <section class="message response">
          <h2>Answer</h2>
          <p class="problem">No answer came.</p>
          <MarkNotes marks={onResponse} />
        </section>
      )}
      {aborted && <p class="problem">Broken off by the {aborted === "client" ? "client" : "server"}.</p>}
      {failure !== undefined && (
        <p class="problem">
          <TargetText>{failure}</TargetText>
        </p>
      )}
    </div>
  );
}
