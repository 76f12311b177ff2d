/** Answers what pages ask for: one exchange, one in flight as it comes, to send again, to save. */

import { mkdir, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { dirname, join } from "node:path";
import { suites } from "../../suites/suites.ts";
import type { Interfaces } from "../check/catalogue.ts";
import type { Session } from "../record/session.ts";
import { secretsOf } from "../run/send/secrets.ts";
import { reasonOf, UserError } from "../user-error.ts";
import type { WireRequest } from "../wire/exchange.ts";
import { isObject } from "../wire/json.ts";
import { shellOption } from "../wire/shell.ts";
import type { LiveSession } from "./live-session.ts";
import type { CassetteAnswered, SaveAnswered, SaveAsked, SearchAsked, SendAsked, SessionShown } from "./protocol.ts";
import type { Reader } from "./reader.ts";
import type { AgainOptions, Resend } from "./resend.ts";
import { watch } from "./watch.ts";

export interface LiveOptions extends Pick<AgainOptions, "interfaces" | "keys" | "keepHeaders" | "redact"> {
  readonly clauses: Interfaces["clauses"];
  readonly upstreams: SessionShown["upstreams"];
}

export interface Requests {
  session(): SessionShown;
  /** JSON of a `Detail`. */
  detail(exchange: number): Promise<string>;
  /** JSON of what a posted question comes to. */
  post(path: string, asked: unknown): Promise<string>;
  /** Sends an exchange in flight as it comes, until it ends or nobody listens. */
  watch(hub: LiveSession, flight: number, response: ServerResponse): void;
}

/** Exchanges in one cassette that is saved. */
const maxSaved = 1_000;

/** Words of one search, and the characters of each. */
const maxWords = 10;
const maxWord = 200;

const wrong = (what: string): UserError => new UserError(`${what} is not as it should be`, "Use the page.");

const isPosition = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Interfaces with the sections that recordings stand in. */
const sectionsOf = (): Record<string, string[]> =>
  Object.fromEntries(suites.map(({ interface: name, sections }) => [name, Object.keys(sections).sort()]));

/** The request of a page to save; throws UserError if a name could lead elsewhere. */
function saveAsked(asked: unknown, sections: Readonly<Record<string, readonly string[]>>): SaveAsked {
  if (!isObject(asked)) throw wrong("what is to be saved");
  const { exchanges, interface: of, section, name } = asked;
  if (!Array.isArray(exchanges) || exchanges.length === 0 || !exchanges.every(isPosition))
    throw wrong("the choice of exchanges");
  if (exchanges.length > maxSaved)
    throw new UserError(`these are more than ${maxSaved} exchanges`, "Choose fewer of them.");
  if (typeof of !== "string" || !Object.hasOwn(sections, of)) throw wrong("the interface");
  if (typeof section !== "string" || !sections[of]!.includes(section)) throw wrong("the section");
  if (typeof name !== "string" || !/^[a-z0-9][a-z0-9-]{0,63}$/.test(name))
    throw new UserError(
      "the name is not one of a recording",
      "Take small letters, digits and dashes, 64 at most: stream-with-tools.",
    );
  return { exchanges: [...new Set(exchanges)].sort((a, b) => a - b), interface: of, section, name };
}

function sendAsked(asked: unknown): SendAsked {
  if (!isObject(asked) || !isPosition(asked["exchange"])) throw wrong("what is to be sent");
  const { exchange, to, body } = asked;
  if (to !== null && typeof to !== "string") throw wrong("the address");
  if (body !== undefined && typeof body !== "string") throw wrong("the body");
  return { exchange, to, ...(body !== undefined && { body }) };
}

function searchAsked(asked: unknown): SearchAsked {
  if (!isObject(asked) || !isPosition(asked["before"])) throw wrong("what is searched for");
  const { words, before } = asked;
  const isWord = (word: unknown): boolean => typeof word === "string" && word !== "" && word.length <= maxWord;
  if (!Array.isArray(words) || words.length === 0 || words.length > maxWords || !words.every(isWord))
    throw new UserError("these words are too many or too long", `Search for ${maxWords} words at most.`);
  return { words: words.map((word: string) => word.toLowerCase()), before };
}

/** The request with a body that somebody wrote: nothing is missing from that, and it is not encoded. */
function withBody({ cut: _cut, redacted = [], ...request }: WireRequest, body: string): WireRequest {
  return {
    ...request,
    headers: request.headers.filter(([name]) => !/^content-(?:encoding|length)$/i.test(name)),
    body: Buffer.from(body, "utf8"),
    redacted: redacted.filter((place) => !/^\/body\b/.test(place)),
  };
}

/** @param hub what pages see now, where one is open */
export function requestsOf(
  session: Pick<Session, "url" | "out">,
  { upstreams, keys }: Pick<LiveOptions, "upstreams" | "keys">,
  reader: Reader,
  again: () => Promise<Resend>,
  hub: () => LiveSession | undefined,
): Requests {
  const recordings = join(dirname(session.out), "recordings");
  const sections = sectionsOf();
  let sentAgain = 0;

  async function send({ exchange, to, body }: SendAsked): Promise<string> {
    const kept = await reader.ask("request", { exchange });
    const asked = body === undefined ? kept : { ...kept, request: withBody(kept.request, body) };
    const sent = await (await again()).send(asked, to ?? session.url);
    // A request that went through the recorder is among the others.
    if (to === null && sent.exchange.response) return JSON.stringify({ status: sent.exchange.response.status });
    if (!sent.exchange.response)
      throw new UserError(`no answer came: ${sent.failure}`, "Check the address, and that the service runs.");
    return `{"detail":${await reader.ask("judge", { exchange: sent.exchange, position: sentAgain++ })}}`;
  }

  function cassette({ exchanges, interface: of }: SaveAsked): Promise<CassetteAnswered> {
    const broken = exchanges.map((one) =>
      (hub()?.found.of(one) ?? []).filter(({ side, level }) => side === "request" && level === "error"),
    );
    const violates = broken.every(({ length }) => length > 0) ? broken.flat().map(({ clause }) => clause) : [];
    return reader.ask("save", { exchanges, interface: of, violates: [...new Set(violates)].sort() });
  }

  async function save(asked: SaveAsked): Promise<SaveAnswered> {
    const { text, notes } = await cassette(asked);
    const path = join(recordings, asked.interface, asked.section, `${asked.name}.json`);
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(path, text, { flag: "wx", mode: 0o600 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST")
        throw new UserError(`${path}: the file exists already`, "Choose another name.");
      throw new UserError(`${path}: cannot be written: ${reasonOf(error)}`, "Download it instead.");
    }
    return { path, command: `touchstone run http://127.0.0.1:4400 ${shellOption("--recordings", recordings)}`, notes };
  }

  return {
    session: () => ({
      url: session.url,
      upstreams,
      out: session.out,
      recordings,
      sections,
      keys: secretsOf({ keys, headers: [] }).map(({ variable }) => variable),
    }),
    detail: (exchange) => reader.ask("view", { exchange, findings: hub()?.found.of(exchange) }),
    async post(path, asked) {
      if (path === "/send") return send(sendAsked(asked));
      if (path === "/search") return JSON.stringify(await reader.ask("search", searchAsked(asked)));
      const wanted = saveAsked(asked, sections);
      return path === "/save" ? JSON.stringify(await save(wanted)) : JSON.stringify(await cassette(wanted));
    },
    watch: (now, flight, response) => watch(now, flight, response, reader),
  };
}
