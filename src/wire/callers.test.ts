/** Pages of other sites are kept out of servers on this machine, and nobody else is. */
import { request as ask } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Callers, forCallers, refusalOf } from "./callers.ts";
import type { HeaderPairs } from "./exchange.ts";
import { listen } from "./listen.ts";

const asked = (headers: HeaderPairs, callers: Partial<Callers> = {}, target = "/v1/x"): boolean =>
  refusalOf({ target, headers }, { host: "127.0.0.1", ...callers }) === undefined;
const host = (name: string): HeaderPairs => [["Host", name]];
const origin = (value: string): HeaderPairs => [
  ["host", "127.0.0.1:1"],
  ["Origin", value],
];

describe("on a loopback address", () => {
  test.each([
    ...["127.0.0.1:8080", "127.0.0.1", "LOCALHOST:1", "localhost.", "api.localhost:1", "[::1]:80", "192.168.1.2:8080"],
    ...["[fe80::1]", "127.1:80", "2130706433", "host.docker.internal:4010"],
  ])("a request to %s is let in", (name) => expect(asked(host(name))).toBe(true));

  test.each([
    "evil.example:8080",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "evil.example@127.0.0.1",
    "",
    "a b",
    "h",
  ])("a request to %j is refused", (name) => expect(asked(host(name))).toBe(false));

  test.each(["evil.example:8080", "127.0.0.1.evil.example", "Localhost.Evil.Example."])(
    "a request to %s is refused as well where only pages are",
    (name) => expect(asked(host(name), { onlyPages: true })).toBe(false),
  );

  test.each(["recorder:8080", "h", "", "a b", "evil.example@127.0.0.1"])(
    "a request to %j is then let in, since it comes from no page",
    (name) => expect(asked(host(name), { onlyPages: true })).toBe(true),
  );

  test("so is one that gives several hosts of which one is not this machine, and none that gives none", () => {
    expect(asked([...host("localhost"), ...host("evil.example")])).toBe(false);
    expect(asked([])).toBe(true);
  });

  test.each(["Host", "Origin"])("a value that is no %s is not quoted, since it may be a credential", (header) => {
    for (const value of ["cnryZk3v9QpLm27TbXe1aGh5cnry", "me:Zk3v9QpLm27T@h.example", "sk-ant Zk3v9QpLm27T"]) {
      const refusal = refusalOf({ target: "/", headers: [[header, value]] }, { host: "127.0.0.1" });
      expect(refusal).toMatch(/--allow-(?:host|origin)/);
      expect(refusal).not.toMatch(/Zk3v9QpLm27T/);
    }
  });

  test("a request through a proxy may name any host, since no page can send one", () => {
    expect(asked(host("api.example.com"), {}, "http://api.example.com/v1/x")).toBe(true);
  });

  test.each(["http://localhost:3000", "http://127.0.0.1", "https://app.localhost", "http://[::1]:5173"])(
    "a page of %s may call",
    (value) => expect(asked(origin(value))).toBe(true),
  );

  test.each([
    "https://evil.example",
    "null",
    "",
    "http://localhost.evil.example",
    "file://localhost",
    "http://192.168.1.2",
    "x",
  ])("a page of %j may not", (value) => expect(asked(origin(value))).toBe(false));

  test("options let further hosts and origins in", () => {
    const callers = { hosts: ["play.test"], origins: ["https://app.example", "null"] };
    for (const headers of [host("PLAY.test:80"), origin("https://app.example"), origin("null")])
      expect(asked(headers, callers)).toBe(true);
    for (const headers of [host("x.play.test"), origin("https://app.example:1"), origin("http://app.example")])
      expect(asked(headers, callers)).toBe(false);
    const any = { hosts: ["*"], origins: ["*"] };
    for (const headers of [host("evil.example"), origin("https://evil.example")])
      expect(asked(headers, any)).toBe(true);
  });
});

test("elsewhere nobody is refused, since a name is how others reach it", () => {
  for (const at of ["0.0.0.0", "::", "192.168.1.2"])
    expect(asked([...host("team.example"), ["origin", "https://team.example"]], { host: at })).toBe(true);
});

test("a refused caller gets 403 and a reason, and does not reach the handler", async () => {
  let reached = 0;
  const handler = forCallers(() => ({ status: 200 + reached++, headers: [], pieces: [] }), { host: "127.0.0.1" });
  const server = await listen(handler);
  onTestFinished(server.close);
  const statusOf = (headers: Record<string, string>): Promise<number | undefined> =>
    new Promise((resolve) => {
      ask(server.url, { headers, agent: false }, (answer) => resolve(answer.resume().statusCode)).end();
    });
  expect(await statusOf({ host: "evil.example" })).toBe(403);
  expect(await statusOf({ origin: "https://evil.example" })).toBe(403);
  expect(reached).toBe(0);
  expect(await statusOf({})).toBe(200);
});
