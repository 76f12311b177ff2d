/** The authority of a session: nothing of its key on a disk, names that it may not speak as, and what clients check in its certificates. */
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, isIP } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import tls from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { openAuthority, removeKeptAuthorities } from "./authority.ts";
import { makeAuthority } from "./certificates.ts";
import { namesOf } from "./hosts.ts";

test("its certificate is the one file of it, for its user alone, and goes with it", async () => {
  const authority = await openAuthority(["api.example.com"]);
  const folder = dirname(authority.path);
  await authority.contextFor("api.example.com");
  expect(readdirSync(folder)).toEqual(["certificate.pem"]);
  expect(readFileSync(authority.path, "utf8")).toBe(authority.certificate);
  expect(authority.certificate).not.toContain("KEY");
  expect([folder, authority.path].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
  authority.remove();
  expect(statSync(folder, { throwIfNoEntry: false })).toBeUndefined();
  expect(process.listeners("exit")).not.toContain(authority.remove);
});

test("each session has another one, which is good for a day", async () => {
  const all = await Promise.all([openAuthority(["a.example"]), openAuthority(["a.example"])]);
  for (const authority of all) authority.remove();
  const [one, other] = all.map(({ certificate }) => new X509Certificate(certificate));
  expect(one!.publicKey.equals(other!.publicKey)).toBe(false);
  const day = 24 * 60 * 60_000;
  expect(Date.parse(one!.validTo) - Date.now()).toBeLessThanOrEqual(day);
  expect(Date.parse(one!.validTo) - Date.parse(one!.validFrom)).toBe(2 * day);
});

test("the names of hosts are those that it is constrained to", () => {
  const patterns = [
    "API.example.com",
    "*.Azure.com",
    "eu-*.api.example",
    "*-ai.googleapis.com",
    "::1",
    "api.*",
    "api*",
  ];
  expect(namesOf(patterns)).toEqual([
    "api.example.com",
    "azure.com",
    "api.example",
    "googleapis.com",
    "::1",
    // Any name may begin so.
    "",
  ]);
});

/** A server that speaks as `host` by a certificate of an authority for `names`, and a client that trusts this authority. */
async function connection(names: readonly string[], host: string) {
  const authority = await makeAuthority("an authority", names);
  const { certificate, key } = await authority.issue(host);
  const server = tls.createServer({ cert: certificate, key }, (socket) => socket.end("hello")).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  server.on("tlsClientError", () => {});
  const { port } = server.address() as AddressInfo;
  const connect = (name: string) => {
    // OpenSSL compares the names: checkServerIdentity of Node 22.23 refuses IPv6 addresses.
    const checkServerIdentity: typeof tls.checkServerIdentity = (_, { raw }) => {
      const shown = new X509Certificate(raw);
      const matches = isIP(name) ? shown.checkIP(name) : shown.checkHost(name);
      return matches === undefined ? new Error(`${name} does not match the certificate`) : undefined;
    };
    return tls.connect({ port, host: "127.0.0.1", ca: authority.certificate, checkServerIdentity });
  };
  return { authority, certificate, connect };
}

test.each(["api.example.com", "127.0.0.1", "::1", "2001:db8::8:800:200c:417a", `${"a".repeat(60)}.example.com`])(
  "a client that trusts it trusts its certificate for %s, and for nothing else",
  async (host) => {
    const { authority, certificate, connect } = await connection(["api.example.org", host], host);
    const client = connect(host);
    await once(client, "secureConnect");
    expect(client.authorized).toBe(true);
    client.destroy();
    await expect(once(connect("other.example"), "secureConnect")).rejects.toThrow("does not match");
    const made = new X509Certificate(certificate);
    expect(made.ca).toBe(false);
    expect(made.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
    expect(made.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
    expect(Date.parse(made.validTo)).toBe(Math.floor(authority.end.getTime() / 1000) * 1000);
  },
);

test.each([
  ["another name", ["api.example.com"], "evil.test"],
  ["a name that ends alike", ["api.example.com"], "evilapi.example.com"],
  ["the domain above", ["api.example.com"], "example.com"],
  ["an address, where it has names alone", ["api.example.com"], "127.0.0.1"],
  ["an address of IPv6, where it has names alone", ["api.example.com"], "::1"],
  ["another address", ["127.0.0.1"], "127.0.0.2"],
  ["an address of IPv6, where it has one of IPv4", ["127.0.0.1"], "::1"],
  ["a name, where it has addresses alone", ["127.0.0.1", "::1"], "evil.test"],
])("with its key, nobody speaks as %s", async (_, names, host) => {
  const { connect } = await connection(names, host);
  await expect(once(connect(host), "secureConnect")).rejects.toThrow(/permitted subtree violation|excluded subtree/);
});

test("a name may lie below one of a pattern", async () => {
  const { connect } = await connection(namesOf(["*.many.test"]), "a.b.many.test");
  const client = connect("a.b.many.test");
  await once(client, "secureConnect");
  client.destroy();
});

test("authorities that older versions kept are removed, and nothing else", () => {
  const data = mkdtempSync(join(tmpdir(), "touchstone-data-"));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const system = { platform: "linux", env: { XDG_DATA_HOME: data } } as const;
  const keep = (folder: string): void => {
    mkdirSync(join(data, "touchstone", folder), { recursive: true });
    for (const name of ["certificate.pem", "key.pem"]) writeFileSync(join(data, "touchstone", folder, name), "x");
  };
  expect(removeKeptAuthorities(system)).toEqual([]);
  for (const folder of ["authority", "authority-a1B2c3"]) keep(folder);
  expect(removeKeptAuthorities(system)).toEqual([]);
  expect(readdirSync(data)).toEqual([]);

  for (const folder of ["authority", "authority-of-mine"]) keep(folder);
  writeFileSync(join(data, "touchstone", "authority", "notes"), "mine");
  expect(removeKeptAuthorities(system)).toEqual([
    expect.stringMatching(/authority cannot be removed \(.*\): remove it/),
  ]);
  expect(readdirSync(data, { recursive: true }).sort()).toEqual([
    "touchstone",
    "touchstone/authority",
    "touchstone/authority-of-mine",
    "touchstone/authority-of-mine/certificate.pem",
    "touchstone/authority-of-mine/key.pem",
    "touchstone/authority/notes",
  ]);
});
