/** Holds the event reader to the WHATWG algorithm, whole and in pieces. */
import { createParser } from "eventsource-parser";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fuzz } from "../dev/random.test-kit.ts";
import { createEventReader, parseEvents, type SseEvent, type SseReading } from "./sse.ts";

const read = (text: string): SseReading => parseEvents(Buffer.from(text, "utf8"));
const datas = (text: string): string[] => read(text).events.map(({ data }) => data);

describe("lines", () => {
  test.each(["\n", "\r", "\r\n"])("end with %j", (end) => {
    const body = ["event: a", "data: 1", "", "data: 2", "", ""].join(end);
    expect(read(body)).toMatchObject({ terminated: true, events: [{ event: "a", data: "1" }, { data: "2" }] });
  });

  test("may end in different ways within one body", () => {
    expect(datas("data: 1\r\ndata: 2\rdata: 3\n\r\ndata: 4\n\n")).toEqual(["1\n2\n3", "4"]);
  });

  test("do not end at U+2028, U+2029, U+0085, vertical tab or form feed", () => {
    const data = "a\u2028b\u2029c\u0085d\u000be\u000cf";
    expect(datas(`data: ${data}\n\n`)).toEqual([data]);
  });

  test("lose one space after the colon and no more", () => {
    expect(datas("data:x\n\ndata: x\n\ndata:  x \n\ndata:\tx\n\n")).toEqual(["x", "x", " x ", "\tx"]);
  });

  test("without a colon are a field without a value", () => {
    expect(datas("data\n\ndata\ndata\n\n")).toEqual(["", "\n"]);
  });

  test("that name other or longer fields are ignored", () => {
    expect(datas("Data: x\ndatax: y\n data: z\nfoo\n: comment\ndata: 1\n\n")).toEqual(["1"]);
  });
});

describe("an event", () => {
  test("joins its data lines with line feeds, and needs at least one", () => {
    expect(datas("data: a\ndata:\ndata: b\n\nevent: ping\n\nid: 1\n\n")).toEqual(["a\n\nb"]);
  });

  test("has the name, id and retry of its own block only", () => {
    expect(read("event: a\nid: 7\nretry: 20\ndata: 1\n\ndata: 2\n\n").events).toEqual([
      { event: "a", id: "7", retry: 20, data: "1", offset: 0 },
      { data: "2", offset: 34 },
    ]);
  });

  test("keeps no id with a NUL, no retry that is not digits, and no empty name", () => {
    expect(read("id: a\0b\nretry: 1x\nevent:\ndata: 1\n\n").events).toEqual([{ data: "1", offset: 0 }]);
  });

  test("starts at its block's first byte, after blank lines, in bytes rather than characters", () => {
    const body = Buffer.from("data: ä😀\n\n\n\r\n: note\ndata: 2\n\n", "utf8");
    const { events } = parseEvents(body);
    expect(events.map(({ offset }) => offset)).toEqual([0, body.indexOf(": note")]);
  });

  test("starts after a byte order mark, which is skipped once and only in front", () => {
    expect(read("\uFEFFdata: 1\n\n\uFEFFdata: 2\n\n").events).toEqual([{ data: "1", offset: 3 }]);
  });

  test("has U+FFFD where bytes are no UTF-8", () => {
    const body = Buffer.concat([Buffer.from("data: a"), Buffer.from([0xff, 0xe2, 0x82]), Buffer.from("\n\n")]);
    expect(parseEvents(body).events[0]?.data).toBe("a\uFFFD\uFFFD");
  });
});

describe("the end of the body", () => {
  test.each(["data: 1\n\ndata: 2", "data: 1\n\ndata: 2\n", "data: 1\r\n\r\ndata: 2\r"])(
    "gives the event that lacks its blank line, and says so: %j",
    (body) => {
      expect(datas(body)).toEqual(["1", "2"]);
      expect(read(body).terminated).toBe(false);
    },
  );

  test.each(["data: 1\n\nda", "data: 1\n\nevent: x\n"])("is no proper one within a field: %j", (body) => {
    expect(read(body)).toMatchObject({ terminated: false, events: [{ data: "1" }] });
  });

  test.each(["", "data: 1\n\n", "data: 1\n\n: bye", "data: 1\n\n: bye\n", "data: 1\n\n\n \n", "\uFEFF"])(
    "is a proper one outside of events: %j",
    (body) => expect(read(body).terminated).toBe(true),
  );
});

test("comments are counted by their first bytes", () => {
  expect(read(": a\n\n:\ndata: 1\n:b\n\n").comments).toEqual([0, 5, 15]);
});

test("a million data lines, and a line of 20 MB, are read in one pass", () => {
  const lines = parseEvents(Buffer.from(`${"data: x\n".repeat(1e6)}\n`));
  expect(lines.events[0]?.data.length).toBe(2e6 - 1);
  const long = "y".repeat(20 << 20);
  expect(parseEvents(Buffer.from(`data: ${long}\n\n`)).events[0]?.data.length).toBe(long.length);
});

const token = fc.constantFrom(
  "data",
  "event",
  "id",
  "retry",
  ":",
  " ",
  "\n",
  "\r",
  "\r\n",
  "\n\n",
  "x",
  "1",
  "ä",
  "😀",
  "\0",
  "\uFEFF",
  "\u2028",
);
const bodies = fc.oneof(
  fc.array(token, { maxLength: 60 }).map((tokens) => Buffer.from(tokens.join(""), "utf8")),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
);

/** A body in pieces, cut at the places given. */
function cutAt(body: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set(cuts)].filter((cut) => cut < body.length).sort((a, b) => a - b);
  return [0, ...places].map((from, i) => Buffer.from(body.subarray(from, places[i] ?? body.length)));
}

test("any cutting of a body gives the same events as the whole", () => {
  fc.assert(
    fc.property(bodies, fc.array(fc.nat(60)), (body, cuts) => {
      const reader = createEventReader();
      const events: SseEvent[] = [];
      for (const piece of cutAt(body, cuts)) {
        events.push(...reader.push(piece));
        piece.fill(0);
      }
      const last = reader.end();
      expect({ ...last, events: [...events, ...last.events] }).toEqual(parseEvents(body));
    }),
    fuzz(1000),
  );
});

type Fields = Pick<SseEvent, "data" | "event" | "id">;

/** The reading of the same pieces by a parser that many clients use. */
function byOtherParser(pieces: readonly Buffer[]): Fields[] {
  const events: Fields[] = [];
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent: ({ data, event, id }) =>
      events.push({ data, ...(event !== undefined && { event }), ...(id !== undefined && { id }) }),
  });
  for (const piece of pieces) parser.feed(decoder.decode(piece, { stream: true }));
  // It waits for what follows a CR, though the standard has a line end there; a comment lets it go on.
  parser.feed(`${decoder.decode()}:\n`);
  return events;
}

/**
 * Fields of closed blocks are compared, and no more: at the end of a body the standard drops the event that lacks its blank
 * line, but the reader gives it and marks it as `open`; `retry` concerns the connection there, and is told apart from events.
 */
test("any body, however cut, holds the events that another parser finds in it", () => {
  fc.assert(
    fc.property(bodies, fc.array(fc.nat(60)), (body, cuts) => {
      const pieces = cutAt(body, cuts);
      const reader = createEventReader();
      const closed = pieces.flatMap((piece) => reader.push(piece));
      expect(closed.map(({ offset: _offset, retry: _retry, ...fields }) => fields)).toEqual(byOtherParser(pieces));
    }),
    fuzz(1000),
  );
});

test("an event is given as soon as its blank line has come", () => {
  const reader = createEventReader();
  expect(reader.push(Buffer.from("data: 1\r\n"))).toEqual([]);
  expect(reader.push(Buffer.from("\r"))).toEqual([{ data: "1", offset: 0 }]);
  expect(reader.push(Buffer.from("\ndata: 2\n\n"))).toEqual([{ data: "2", offset: 11 }]);
  expect(reader.end()).toMatchObject({ events: [], terminated: true });
});

test("quotes are seen in lines that are no data, and only there", () => {
  const quotes = (body: string): boolean => parseEvents(Buffer.from(body)).quotes;
  expect(quotes(': a\ndata: "x"\n\n: b\n\n')).toBe(false);
  expect(quotes(': a\ndata: "x"\n\n: "b\n\n')).toBe(true);
  expect(quotes('id: 1\ndata: "x"\nid: "\n\n')).toBe(true);
  expect(quotes(": a\n: b\n")).toBe(false);
});

test("a million lines that are no data are read in one pass", () => {
  const { events, comments } = parseEvents(Buffer.from(`${": ping\n\n".repeat(500_000)}data: 1\n\n`));
  expect([events.length, comments.length]).toEqual([1, 500_000]);
});
