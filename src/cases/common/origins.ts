/** Cases of redirects, and of answers that never end, in every interface. */
import { utf8 } from "../../wire/build.ts";
import type { Answer } from "../answer.ts";
import type { Case } from "../case.ts";
import { type Good, piece } from "../good.ts";
import { everyInterface, type InterfaceName, streaming } from "../interface-names.ts";
import { plainAnswer } from "./failures.ts";

type OriginCase = Pick<Case, "id" | "says" | "answer"> & Partial<Case>;

const safety = "RFC 9110 section 15.4: a redirect to another origin takes no credentials along";
const fetchStandard = "WHATWG Fetch 4.4 (HTTP-redirect fetch)";

const redirected = (own: OriginCase): Case => ({
  interfaces: everyInterface,
  kind: "fault",
  restsOn: [safety, fetchStandard],
  due: "end",
  fails: ["leaks"],
  ...own,
  id: `redirect/${own.id}`,
});

/** To the same path elsewhere; the second origin answers well. */
const moved =
  (status: number, where: (good: Good) => string) =>
  (good: Good): Answer => ({
    ...plainAnswer(status, undefined, ""),
    headers: [["Location", where(good)]],
  });

const elsewhere = (good: Good): string => `${good.other}${good.request.target.replace(/([?&])key=[^&]*&?/, "$1")}`;

export const redirects: readonly Case[] = [
  ...[301, 302, 303, 307, 308].map((status) =>
    redirected({
      id: `${status}-other-origin`,
      says: `The server redirects the client to another origin with status ${status}.`,
      answer: moved(status, elsewhere),
    }),
  ),
  redirected({
    id: "loop",
    says: "The server redirects the client to itself, over and over.",
    restsOn: ["RFC 9110 section 15.4", fetchStandard],
    due: "error",
    fails: [],
    answer: moved(307, (good) => `${good.origin}${good.request.target}`),
  }),
  redirected({
    id: "without-location",
    says: "The server answers 307 without a Location header.",
    restsOn: ["RFC 9110 section 15.4"],
    due: "error",
    fails: ["silent"],
    answer: () => plainAnswer(307, undefined, ""),
  }),
];

/** Streams with an event that ends them. */
const saidToEnd: readonly InterfaceName[] = ["chat-completions", "messages"];

const endless = (own: OriginCase): Case => ({
  interfaces: everyInterface,
  kind: "fault",
  restsOn: [],
  due: "error",
  fails: [],
  endsWithLimit: true,
  ...own,
  id: `endless/${own.id}`,
});

const none = { pieces: [], isComplete: false } as const;

export const endlessAnswers: readonly Case[] = [
  endless({
    id: "head",
    says: "The headers never end: one follows another.",
    restsOn: ["RFC 9110 section 5.4"],
    answer: (good) => ({
      ...good.answer(),
      ...none,
      endless: { in: "head", bytes: utf8(`X-More: ${"m".repeat(1000)}\r\n`.repeat(16)), every: 2 },
    }),
  }),
  endless({
    id: "comments",
    says: "After the first events, comments follow without end.",
    restsOn: ["WHATWG HTML 9.2.7"],
    form: "stream",
    interfaces: streaming,
    answer: (good) => ({
      ...good.answer(),
      pieces: good.answer().pieces.slice(0, 2),
      isComplete: false,
      endless: { in: "body", bytes: utf8(": still here\n\n"), every: 50 },
    }),
  }),
  endless({
    id: "line",
    says: "After the first events comes a line that never ends.",
    restsOn: ["WHATWG HTML 9.2.6"],
    form: "stream",
    interfaces: streaming,
    answer: (good) => ({
      ...good.answer(),
      pieces: [...good.answer().pieces.slice(0, 2), piece("data: ")],
      isComplete: false,
      endless: { in: "body", bytes: utf8("x".repeat(1 << 16)), every: 2 },
    }),
  }),
  endless({
    id: "silence-before-head",
    says: "The server takes the request and never answers.",
    restsOn: ["RFC 9112 section 9.5"],
    answer: (good) => ({ ...good.answer(), ...none, headEnd: 0, end: "hold" }),
  }),
  endless({
    id: "silence-after-head",
    says: "The server sends the headers, and then nothing.",
    restsOn: ["RFC 9112 section 9.5"],
    answer: (good) => ({ ...good.answer(), ...none, toldLength: 1000, end: "hold" }),
  }),
  endless({
    id: "silence-in-body",
    says: "The server sends half of the answer, and then nothing.",
    restsOn: ["RFC 9112 section 9.5"],
    answer: (good) => {
      const { pieces, ...answer } = good.answer();
      if (good.form === "stream")
        return { ...answer, pieces: pieces.slice(0, Math.floor(pieces.length / 2)), end: "hold", isComplete: false };
      const bytes = Buffer.concat(pieces.map((one) => one.bytes));
      const half = piece(bytes.subarray(0, Math.floor(bytes.length / 2)));
      return { ...answer, pieces: [half], toldLength: bytes.length, end: "hold", isComplete: false };
    },
  }),
  endless({
    id: "open-after-end",
    kind: "odd",
    says: "The stream is complete, but its body never ends.",
    restsOn: ["X-CLIENTS", "https://github.com/earendil-works/pi/issues/5592"],
    due: "answer",
    form: "stream",
    interfaces: saidToEnd,
    answer: (good) => ({ ...good.answer(), end: "hold" }),
  }),
  endless({
    id: "comments-after-end",
    kind: "odd",
    says: "The stream is complete, but comments follow without end.",
    restsOn: ["X-CLIENTS"],
    due: "answer",
    form: "stream",
    interfaces: saidToEnd,
    answer: (good) => ({
      ...good.answer(),
      endless: { in: "body", bytes: utf8(": still here\n\n"), every: 50 },
    }),
  }),
];
