/** Tries one client of the matrix with all cases of its interface. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { caseNamed } from "../../cases/all-cases.ts";
import { createAnswers } from "../../cases/answers.ts";
import type { CaseEvidence } from "../../cases/client-document.ts";
import type { CaseResult } from "../../cases/document.ts";
import { driverClient } from "../../cases/drivers/driver-client.ts";
import { drivers } from "../../cases/drivers/list.ts";
import { judgeCase, profileOf } from "../../cases/judge/judge-case.ts";
import { runClient } from "../../cases/run/run-client.ts";
import type { Catalogue } from "../../check/catalogue.ts";
import type { Exchange } from "../../wire/exchange.ts";
import { installPackages } from "../install-packages.ts";
import type { MatrixClient } from "./list.ts";

/** A client with what it made of each case. */
export interface TriedClient {
  /** Milliseconds that it was told to wait at most, in cases of silence. */
  readonly limit?: number | undefined;
  readonly client: MatrixClient;
  readonly interface: string;
  readonly results: readonly CaseResult[];
  readonly evidence: readonly CaseEvidence[];
  readonly seconds: number;
}

export interface TryClientOptions {
  /** The folder below which packages are installed. */
  readonly temporary: string;
  /** Patterns of cases; all where empty. */
  readonly cases: readonly string[];
  /** Milliseconds a case may take. */
  readonly timeout: number;
  /** Cases under way at a time. */
  readonly concurrency: number;
}

const folderName = ({ packages }: MatrixClient): string =>
  Object.entries(packages)
    .map(([name, version]) => `${name.replace(/[@/]/g, "_")}-${version}`)
    .join("+") || "none";

const installing = new Map<string, Promise<void>>();

/** The folder of a client's packages; clients of the same packages share it. */
export async function installed(client: MatrixClient, temporary: string): Promise<string> {
  const name = folderName(client);
  const folder = join(temporary, name);
  if (Object.keys(client.packages).length > 0 && !existsSync(join(folder, "node_modules"))) {
    const own = installing.get(name) ?? installPackages(folder, name, client.packages);
    installing.set(name, own);
    await own;
  }
  return folder;
}

export async function tryClient(
  catalogue: Catalogue,
  client: MatrixClient,
  { temporary, cases, timeout, concurrency }: TryClientOptions,
): Promise<TriedClient> {
  const started = performance.now();
  const folder = await installed(client, temporary);
  const driver = drivers.find(({ name }) => name === client.driver)!;
  const driven = await driverClient(driver, Object.keys(client.packages).length > 0 ? folder : temporary);
  try {
    const options = { cases, timeout, concurrency };
    // A busy machine may not even get to the plain answer in time.
    const { evidence } = await runClient(catalogue, driven, options).catch(() => runClient(catalogue, driven, options));
    return {
      client,
      limit: driven.limit,
      interface: driver.interface,
      results: resultsOf(catalogue, evidence, driven.limit),
      evidence,
      seconds: (performance.now() - started) / 1000,
    };
  } finally {
    driven.close();
  }
}

/** Judges what an earlier run kept. @param kept as JSON */
export function judgedAgain(catalogue: Catalogue, kept: TriedClient): TriedClient {
  const evidence = kept.evidence.map(({ seen, exchanges }) => ({ seen, exchanges: exchanges.map(revived) }));
  return { ...kept, evidence, results: resultsOf(catalogue, evidence, kept.limit) };
}

/** Bytes that JSON has as an object. */
const bytesOf = (value: unknown): Buffer => {
  const { type, data } = value as { readonly type?: string; readonly data?: number[] };
  return Buffer.from(type === "Buffer" ? data! : Object.values(value as Record<string, number>));
};

function revived(exchange: Exchange): Exchange {
  const { request, response } = exchange;
  return {
    ...exchange,
    request: { ...request, body: bytesOf(request.body) },
    response: response && { ...response, body: bytesOf(response.body) },
  };
}

/** Judges what was seen of one client of one interface. */
function resultsOf(
  catalogue: Catalogue,
  evidence: readonly CaseEvidence[],
  limit: number | undefined,
): readonly CaseResult[] {
  const answers = createAnswers(catalogue);
  const plain = caseNamed("plain");
  const own = evidence.find(({ seen }) => seen.case === plain.id)!;
  const facts = { ...profileOf(answers, plain, own.seen, own.exchanges), limit };
  return evidence.map(({ seen, exchanges }) => judgeCase(answers, caseNamed(seen.case), seen, exchanges, facts));
}
