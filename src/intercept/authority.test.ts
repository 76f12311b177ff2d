/** The local authority: kept for its user alone, made once, replaced when it is no good, and what clients check in its certificates. */
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, isIP } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { authorityFolder, forgetAuthority, openAuthority } from "./authority.ts";
import { issuerOf, makeAuthority } from "./certificates.ts";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-authority-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "touchstone", "authority");
}

test("it is made once, for its user alone", async () => {
  const folder = newFolder();
  const first = await openAuthority(folder);
  expect(readdirSync(folder).sort()).toEqual(["certificate.pem", "key.pem"]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  expect((await openAuthority(folder)).certificate).toBe(first.certificate);
  expect(readFileSync(first.path, "utf8")).toBe(first.certificate);
});

test("several sessions that begin at once come to one authority", async () => {
  const folder = newFolder();
  const all = await Promise.all(Array.from({ length: 8 }, () => openAuthority(folder)));
  expect(new Set(all.map(({ certificate }) => certificate)).size).toBe(1);
  expect(readdirSync(join(folder, ".."))).toEqual(["authority"]);
});

test("a broken one is replaced, and one that others could read is refused", async () => {
  const folder = newFolder();
  const first = await openAuthority(folder);
  writeFileSync(join(folder, "key.pem"), "broken", { mode: 0o600 });
  const second = await openAuthority(folder);
  expect(second.certificate).not.toBe(first.certificate);
  chmodSync(join(folder, "key.pem"), 0o644);
  await expect(openAuthority(folder)).rejects.toThrow(/key\.pem can be read by other users/);
  expect(forgetAuthority(folder)).toBe(folder);
  expect(forgetAuthority(folder)).toBeUndefined();
  expect((await openAuthority(folder)).certificate).not.toBe(second.certificate);
});

test("a folder that cannot be written is the user's to mend", async () => {
  const file = join(newFolder(), "..", "..", "file");
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, "");
  await expect(openAuthority(join(file, "authority"))).rejects.toHaveProperty("remedy");
});

test("its folder follows the customs of the system", () => {
  const at = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string => authorityFolder({ platform, env });
  expect(at("linux", { XDG_DATA_HOME: "/data" })).toBe("/data/touchstone/authority");
  expect(at("linux", { XDG_DATA_HOME: "data" })).toMatch(/\/\.local\/share\/touchstone\/authority$/);
  expect(at("darwin", {})).toMatch(/\/Library\/Application Support\/touchstone\/authority$/);
  expect(at("win32", { LOCALAPPDATA: "/local" })).toBe("/local/touchstone/authority");
});

test.each(["api.example.com", "127.0.0.1", "::1", "2001:db8::8:800:200c:417a", `${"a".repeat(60)}.example.com`])(
  "a client that trusts it trusts its certificate for %s, and for nothing else",
  async (host) => {
    const authority = await openAuthority(newFolder());
    const { certificate, key } = await (
      await issuerOf({
        certificate: authority.certificate,
        key: readFileSync(join(authority.path, "..", "key.pem"), "utf8"),
      })
    ).issue(host);
    const server = tls.createServer({ cert: certificate, key }, (socket) => socket.end("hello")).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const connect = (name: string) => {
      // OpenSSL compares the names: checkServerIdentity of Node 22.23 refuses IPv6 addresses.
      const checkServerIdentity: typeof tls.checkServerIdentity = (_, { raw }) => {
        const certificate = new X509Certificate(raw);
        const matches = isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name);
        return matches === undefined ? new Error(`${name} does not match the certificate`) : undefined;
      };
      return tls.connect({ port, host: "127.0.0.1", ca: authority.certificate, checkServerIdentity });
    };
    const client = connect(host);
    await once(client, "secureConnect");
    expect(client.authorized).toBe(true);
    client.destroy();
    await expect(once(connect("other.example"), "secureConnect")).rejects.toThrow("does not match");
    const made = new X509Certificate(certificate);
    expect(made.ca).toBe(false);
    expect(made.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
    expect(made.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
    // Apple refuses more than 825 days, browsers more than 398.
    expect(Date.parse(made.validTo) - Date.parse(made.validFrom)).toBeLessThan(398 * 24 * 60 * 60_000);
  },
);

test("an authority cannot sign for other authorities", async () => {
  const { certificate } = await makeAuthority("x");
  expect(new X509Certificate(certificate).toLegacyObject()).toMatchObject({ ca: true });
  expect(new X509Certificate(certificate).checkIssued(new X509Certificate(certificate))).toBe(true);
});
