/** The faults that the proof client can have: each is a mistake that clients of the field make, with the cases that tell it. */
import type { InterfaceName } from "../interface-names.ts";

interface FaultData {
  /** The client's behaviour. */
  readonly says: string;
  /** The interface in which it is shown. */
  readonly in: InterfaceName;
  /** Patterns of cases whose outcome has to change. */
  readonly told: readonly string[];
  /** Patterns of cases whose outcome may change: how bytes are put together on the way decides. */
  readonly may?: readonly string[];
}

const blankLines = ["stream/crlf", "stream/cr", "stream/mixed-line-ends", "stream/cut-within-line-ends"];
const ids = ["stream/id-before-data", "stream/id-behind-data", "stream/id-and-comments", "stream/all-fields"];
const comments = [
  "stream/comment-beside-data",
  "stream/comment-behind-data",
  "stream/comment-line-alone",
  "stream/all-fields",
];
const apart = ["stream/cut-*", "stream/one-and-a-half", "stream/*-event*", "transfer/gzip-*", "stream/long-comment"];
const calls = [
  "chat-completions/*call*",
  "chat-completions/arguments-*",
  "chat-completions/*arguments",
  "chat-completions/*-pieces",
  "chat-completions/id-in-every-piece",
];
const refusals = [
  "failure/400*",
  "failure/401*",
  "failure/402",
  "failure/403",
  "failure/404",
  "failure/405",
  "failure/413",
  "failure/422",
];
const later = [
  "failure/408",
  "failure/409",
  "failure/429",
  "failure/50*",
  "failure/529",
  "cut/*-before-head",
  "cut/*-in-head",
  "cut/not-http",
  "redirect/*",
];
const onlyOnce = [
  "failure/*-once",
  "failure/*retry-after-seconds",
  "failure/*retry-after-date",
  "failure/503-retry-after",
  "failure/*retry-after-words",
  "cut/reset-before-head-once",
];

const faultData = {
  "first-choice-unchecked": {
    says: "reads the first choice of every chunk without checking",
    in: "chat-completions",
    told: [
      "chat-completions/usage-chunk",
      "chat-completions/choices-*",
      "chat-completions/null-event",
      "chat-completions/empty-object-event",
      "chat-completions/delta-null",
      "chat-completions/delta-missing",
      "cut/error-event",
      "cut/error-event-first",
      "cut/error-event-and-end",
      "cut/error-event-and-done",
    ],
  },
  "decoder-per-chunk": {
    says: "decodes each chunk of bytes on its own, which breaks split characters",
    in: "generate-content",
    told: ["stream/cut-within-characters"],
    may: apart,
  },
  "split-at-lf-lf": {
    says: "looks for two LF between events and for no other blank line",
    in: "messages",
    told: blankLines,
  },
  "no-crlf": { says: "takes CR for part of the line", in: "chat-completions", told: blankLines },
  "no-cr": {
    says: "does not end lines at a CR alone",
    in: "generate-content",
    told: ["stream/cr", "stream/mixed-line-ends"],
  },
  "id-drops-event": { says: "drops an event that has an id", in: "chat-completions", told: ids },
  "comment-drops-event": { says: "drops an event that has a comment", in: "messages", told: comments },
  "comment-as-data": {
    says: "hands comments to the JSON parser",
    in: "messages",
    told: [...comments, "stream/comment*", "stream/empty-comments", "stream/id-and-comments", "stream/long-comment"],
    may: ["stream/silence-with-comments"],
  },
  "blank-required": {
    says: "reads data only if a space follows the colon",
    in: "chat-completions",
    told: ["stream/no-blank", "stream/all-fields"],
  },
  "first-data-line": {
    says: "reads only the first data line of an event",
    in: "messages",
    told: ["stream/several-data-lines"],
  },
  "bom-kept": {
    says: "takes a byte order mark for part of the first line",
    in: "generate-content",
    told: ["stream/bom"],
  },
  "split-at-unicode": {
    says: "also ends lines at U+2028, U+2029 and U+0085",
    in: "chat-completions",
    told: ["stream/raw-line-separators"],
  },
  "chunk-is-event": {
    says: "takes each chunk of bytes for whole events",
    in: "messages",
    told: ["stream/cut-in-data", "stream/one-and-a-half", "stream/cut-within-characters"],
    may: apart,
  },
  "drops-beyond-64k": {
    says: "drops lines beyond 64 KiB",
    in: "generate-content",
    told: ["stream/megabyte-event", "stream/quarter-megabyte-event"],
    may: ["stream/long-comment"],
  },
  "unknown-field-fails": {
    says: "rejects lines with unknown fields",
    in: "chat-completions",
    told: ["stream/unknown-field", "stream/field-without-colon"],
    may: ["failure/page-as-stream", "failure/bare-error-in-stream"],
  },
  "retry-line-fails": {
    says: "takes a block without data for an event",
    in: "messages",
    told: ["stream/retry-alone"],
  },
  "drops-blank-pieces": {
    says: "drops pieces of text that are only spaces",
    in: "chat-completions",
    told: ["stream/blanks-alone", "stream/one-letter-events"],
  },
  "drops-repeats": {
    says: "drops a piece that equals the one before it",
    in: "messages",
    told: ["stream/repeated-pieces"],
    may: ["stream/one-letter-events"],
  },
  "end-marker-in-text": {
    says: "looks for the end marker anywhere in the stream",
    in: "messages",
    told: ["stream/text-like-events"],
  },
  "done-required": {
    says: "takes a stream without [DONE] for an error",
    in: "chat-completions",
    told: ["chat-completions/done-missing"],
  },
  "done-exact": {
    says: "recognizes [DONE] only without spaces around it",
    in: "chat-completions",
    told: ["chat-completions/done-with-blanks"],
  },
  "waits-for-close": {
    says: "reads on after the end until the connection closes",
    in: "chat-completions",
    told: ["endless/open-after-end", "endless/comments-after-end"],
  },
  "arguments-replaced": {
    says: "keeps only the last piece of the arguments of a call",
    in: "chat-completions",
    told: ["chat-completions/call", "chat-completions/arguments-by-letter", "chat-completions/parallel-calls"],
    may: [...calls, "cut/arguments-cut-unsaid"],
  },
  "index-ignored": {
    says: "adds every piece of arguments to the latest call",
    in: "chat-completions",
    told: ["chat-completions/calls-in-turn"],
  },
  "index-required": {
    says: "drops pieces of calls without an index",
    in: "chat-completions",
    told: ["chat-completions/call-without-index"],
  },
  "first-call-only": {
    says: "keeps only the first of several calls",
    in: "generate-content",
    told: ["generate-content/parallel-calls", "generate-content/calls-in-one-event"],
  },
  "first-block-only": {
    says: "reads only the first block of a message",
    in: "messages",
    told: [
      "messages/*thinking*",
      "messages/*unknown-block",
      "messages/*several-*blocks",
      "messages/empty-block",
      "messages/call-and-text",
      "messages/call-before-text",
      "messages/parallel-calls",
    ],
  },
  "event-line-required": {
    says: "reads an event's type from the line that names it",
    in: "messages",
    told: ["messages/no-event-lines"],
  },
  "unknown-event-fails": {
    says: "rejects events and blocks of unknown types",
    in: "messages",
    told: ["messages/unknown-event", "messages/*thinking*", "messages/*unknown-block"],
  },
  "content-required": {
    says: "reads the parts of every candidate without checking",
    in: "generate-content",
    told: [
      "generate-content/finish-*",
      "generate-content/usage-event-last",
      "generate-content/*blocked-prompt",
      "generate-content/empty-stream",
      "generate-content/*no-content",
      "generate-content/candidates-*",
      "generate-content/*content-empty",
      "generate-content/malformed-call",
      "generate-content/whole-no-candidates",
    ],
    may: ["generate-content/finish-by-*"],
  },
  "thoughts-as-text": {
    says: "takes thoughts for text",
    in: "chat-completions",
    told: ["chat-completions/thinking-before-text"],
  },
  "error-event-swallowed": {
    says: "ignores events that report an error",
    in: "messages",
    told: ["cut/error-event-and-end"],
  },
  "broken-event-swallowed": {
    says: "ignores events whose JSON is broken",
    in: "generate-content",
    told: ["cut/broken-event", "cut/event-no-json"],
  },
  "cut-as-success": {
    says: "takes a stream that breaks off for its end",
    in: "chat-completions",
    told: [
      "cut/reset-after-head",
      "cut/reset-in-*",
      "cut/close-in-*",
      "cut/close-after-head",
      "cut/close-before-told-length",
      "cut/gzip-cut",
      "cut/bad-chunk-size",
    ],
    may: ["cut/*-in-head", "cut/not-gzip", "endless/*"],
  },
  "end-unchecked": {
    says: "does not check that a stream announced its end",
    in: "messages",
    told: [
      "cut/end-in-text",
      "cut/end-in-arguments",
      "cut/end-after-first-event",
      "cut/no-event",
      "failure/bare-error-in-stream",
      "failure/page-as-stream",
      "failure/empty-success",
    ],
    may: ["messages/no-message-stop", "cut/named-error-event"],
  },
  "no-retry": { says: "asks once, whatever the answer is", in: "chat-completions", told: onlyOnce },
  "retries-everything": { says: "also asks again after a 400 or 401", in: "images", told: refusals },
  "retries-forever": {
    says: "asks again at once, as often as it fails",
    in: "images",
    told: ["failure/429", "failure/500", "failure/503", "cut/reset-before-head"],
    may: [...later, "endless/*"],
  },
  "ignores-retry-after": {
    says: "does not wait as Retry-After says",
    in: "messages",
    told: [
      "failure/429-retry-after-seconds",
      "failure/429-retry-after-date",
      "failure/503-retry-after",
      "failure/429-retry-after-hour",
    ],
  },
  "retry-after-date-ignored": {
    says: "reads Retry-After only as seconds",
    in: "generate-content",
    told: ["failure/429-retry-after-date"],
  },
  "key-along-redirect": {
    says: "sends its key to another origin",
    in: "messages",
    told: ["redirect/307-other-origin", "redirect/308-other-origin"],
  },
  "status-unchecked": {
    says: "reads an answer whatever its status",
    in: "generate-content",
    told: ["failure/400-other-shape"],
    may: ["failure/*"],
  },
  "media-type-exact": {
    says: "requires the media type in lower case and without parameters",
    in: "chat-completions",
    told: ["transfer/media-type-*"],
  },
  "no-gzip": {
    says: "asks for gzip and does not decompress it",
    in: "images",
    told: ["transfer/gzip*", "transfer/brotli", "transfer/deflate"],
    may: ["cut/gzip-cut", "cut/not-gzip"],
  },
  "never-gives-up": {
    says: "waits without a time limit",
    in: "images",
    told: ["endless/silence-*"],
  },
  "never-closes": {
    says: "leaves the connection open when it gives up",
    in: "images",
    told: ["endless/silence-*"],
  },
  "parse-unguarded": {
    says: "lets an error of the JSON parser end the process",
    in: "images",
    told: ["cut/broken-json", "failure/page", "failure/empty-success", "failure/no-content"],
  },
  "key-to-picture": {
    says: "sends its key when it fetches a picture",
    in: "images",
    told: ["images/address-at-other-origin"],
  },
} as const satisfies Record<string, FaultData>;

export type ProofFault = keyof typeof faultData;
export type Faults = ReadonlySet<ProofFault>;

/** Whether a fault is there. */
export type Has = (fault: ProofFault) => boolean;

export const proofFaults: Readonly<Record<ProofFault, FaultData>> = faultData;
