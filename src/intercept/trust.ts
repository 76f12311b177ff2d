/** Has one command trust the authority of a session: files for it alone, and the variables that name them. Nothing is installed. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { rootCertificates } from "node:tls";
import type { Authority } from "./authority.ts";

/** Variables that name certificates beside those that a program trusts by itself, and those that name all it trusts. */
const adding = ["NODE_EXTRA_CA_CERTS", "DENO_CERT"] as const;
const replacing = ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"] as const;

/** Files in which systems keep the authorities that they trust. */
const systemBundles = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/ssl/cert.pem",
];

/** The certificates of the system; those that Node brings along where none are found. */
function systemRoots(): string {
  const path = systemBundles.find((one) => existsSync(one));
  return path === undefined ? rootCertificates.join("\n") : readFileSync(path, "utf8");
}

/** The text of a file that a variable names; nothing where it names none that can be read, as programs have it. */
function named(environment: NodeJS.ProcessEnv, variable: string): string | undefined {
  try {
    return readFileSync(environment[variable] ?? "", "utf8");
  } catch {
    return undefined;
  }
}

/**
 * Writes the files beside the certificate of the authority, and gives the variables that name them. A variable that is set already
 * keeps what it names, and ours beside it.
 */
export function trustIn(
  { certificate, path }: Pick<Authority, "certificate" | "path">,
  environment: NodeJS.ProcessEnv,
): Readonly<Record<string, string>> {
  const variables: Record<string, string> = {};
  const write = (variable: string, before: string): void => {
    const file = join(dirname(path), `${variable}.pem`);
    writeFileSync(file, `${before.trimEnd()}\n${certificate}`.trimStart(), { mode: 0o600 });
    variables[variable] = file;
  };
  for (const variable of adding) write(variable, named(environment, variable) ?? "");
  let system: string | undefined;
  for (const variable of replacing) {
    // Python's requests reads the variable of curl where its own is not set.
    const own = named(environment, variable) ?? named(environment, "SSL_CERT_FILE");
    write(variable, own ?? (system ??= systemRoots()));
  }
  return variables;
}
