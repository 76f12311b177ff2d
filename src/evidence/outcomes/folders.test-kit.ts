/** Folders of a gateway and of a client, made by asking both in this process. */

import { clientDocument } from "../../cases/client-document.ts";
import type { ProofFault } from "../../cases/proof/faults.ts";
import { proofClient } from "../../cases/proof/proof-client.ts";
import { runClient } from "../../cases/run/run-client.ts";
import { touchstoneHere } from "../../cli/here.test-kit.ts";
import { namedUpstream, openRelay, type RelayFaults, upstreamByHeader } from "../../gateway/relay.test-kit.ts";
import { version } from "../../home.ts";
import { openCatalogue } from "../../interfaces/catalogue.ts";
import { judgingFrom, judgingSettings } from "../../interfaces/judging.ts";
import { openFolder } from "../folder.ts";
import { clientHeader, observationLines, recordedCase } from "./case-lines.ts";
import { clientFolder } from "./folders.ts";

/** What keeps a test short. */
const lacks = "tools,images,streaming,structured-output,json-mode,logprobs,n,audio,documents,image-input";

/** Asks a gateway that passes messages on, perhaps with faults, and writes its folder. */
export async function writeGateway(folder: string, faults: RelayFaults = {}): Promise<void> {
  const relay = await openRelay(namedUpstream, faults);
  const route = ["--from", "messages", "--to", "messages", ...upstreamByHeader, "--lacks", lacks];
  try {
    const { code, stderr } = await touchstoneHere(["gateway", relay.url, ...route, "--out", folder]);
    if (code === 2) throw new Error(stderr);
  } finally {
    await relay.close();
  }
}

/** Answers a client in some ways, and writes its folder. @param faults what the client does wrong */
export async function writeClient(folder: string, faults: readonly ProofFault[] = []): Promise<void> {
  const catalogue = await openCatalogue();
  const judging = judgingFrom({}, catalogue);
  const [started, cases, timeout] = [new Date().toISOString(), ["stream/*id*"], 10_000];
  const client = proofClient(new Set(faults));
  const run = await runClient(catalogue, client, { interfaces: ["messages"], cases, timeout, concurrency: 4 });
  const terms = {
    client: client.name,
    versions: { touchstone: version(), ...client.versions },
    documents: catalogue.digests(),
    options: {
      ...{ interfaces: run.interfaces, cases, isCommand: false, once: false, every: null, timeout, limit: null },
      ...judgingSettings({}, judging),
      today: started.slice(0, 10),
    },
  };
  const documentOf = (evidence: typeof run.evidence, isComplete: boolean) =>
    clientDocument(catalogue, evidence, terms, { ...judging, isWhole: false, isComplete });
  const output = openFolder(folder, documentOf([], false), "all", clientFolder);
  for (const one of run.evidence) for (const recorded of recordedCase(one)) output.add(recorded);
  const document = documentOf(run.evidence, run.isComplete);
  const made = { command: ["touchstone", "client"], started, evidence: "all" as const };
  output.close(document, clientHeader(document), catalogue, document.documents, made, observationLines(run.evidence));
}
