/** Looks at a target for the files that its runs need: interfaces, base path, models, keys, what is lacking, what fails today. */
import type { Catalogue } from "../check/catalogue.ts";
import { openCatalogue } from "../interfaces/catalogue.ts";
import { UserError } from "../user-error.ts";
import type { Expectation } from "../verdict/document.ts";
import { lackNamesOf } from "../verdict/lacked-names.ts";
import type { RunResults } from "../verdict/run-results.ts";
import { isLoopback } from "../wire/callers.ts";
import { createSender, defaultLimits } from "../wire/send.ts";
import { checkNumbers, type RunOptions } from "./options.ts";
import { baseUrl, headersFrom, keysFrom, modelsFrom, type TargetFile } from "./plan/target-options.ts";
import { planRun } from "./plan-run.ts";
import { listedModels, textModels } from "./reach/listed-models.ts";
import { prepareRun } from "./run.ts";
import { isKeyHeader } from "./send/retarget.ts";
import { isSecretHeader } from "./send/secrets.ts";

/** The first findings about a target. */
export interface FirstSight {
  readonly target: TargetFile;
  readonly expectations: readonly Expectation[];
  /** One sentence each: what was found, and what is left to do. */
  readonly notes: readonly string[];
}

/** Requests of recordings an interface of a target that may charge for them. */
const fewRequests = 40;

/**
 * Sends a target all that a run sends if it is on this machine. Any other may charge for requests, so it gets a part of the
 * recordings and no probes.
 * @throws UserError where nothing answers, or nothing the documents know
 */
export async function lookAt(address: string, options: RunOptions = {}): Promise<FirstSight> {
  const url = baseUrl(address, "target");
  checkNumbers(options);
  await refuseSilence(url, options);
  const catalogue = await openCatalogue(options.documents);
  const notes: string[] = [];
  const model = (options.model?.length ?? 0) > 0 ? undefined : await offeredModel(url, options, catalogue);
  if (model !== undefined) notes.push(`it lists models; text is asked of ${model}`);
  const given = { ...options, ...(model !== undefined && { model: [model] }) };
  const looks = await lookAtAll(url, given, catalogue, notes);
  if (looks.every(({ state }) => state === "absent"))
    throw new UserError(
      `${url} knows no operation of any interface`,
      "Give the address before /v1 or /v1beta, for example http://127.0.0.1:8080 or https://host/gateway.",
    );
  // A run stops at an interface that wants a key it lacks, so that only what answered goes into the file.
  const offered = looks.filter(({ state }) => state === "answers").map((look) => look.interface);
  if (offered.length === 0) throw looks.find(({ problem }) => problem !== undefined && !isAbsence(problem))!.problem!;
  const results = looks.flatMap((look) => look.results ?? []);
  const bases = new Set(results.flatMap((one) => Object.values(one.options.ways)).map(({ base }) => base));
  const [base] = bases.size === 1 ? bases : [];
  const isKeyless = wantsNoKey(results, catalogue) && looks.every(({ state }) => state !== "wants-key");
  if (isKeyless) notes.push(`it answers requests without a key: "lacks" says "keys", so that none is demanded of it`);
  const lacks = [...lackedBy(results), ...(isKeyless ? ["keys"] : [])].sort();
  const [secret, headers] = parted(headersFrom(options.header ?? [], undefined), ([name, value]) =>
    isSecretHeader(name, value),
  );
  for (const [name] of secret) notes.push(`${name} is secret and not written down: give it with --header to each run`);
  const models = { ...(model !== undefined && { "*": model }), ...modelsFrom(options.model ?? [], undefined) };
  const keys = Object.fromEntries(
    (options.key ?? []).flatMap((value) => {
      const [, name = "*", variable] = /^(?:([a-z-]+|\*)=)?(\$\w+)$/.exec(value) ?? [];
      return variable === undefined ? [] : [[name, variable]];
    }),
  );
  return {
    target: {
      url: base ?? url,
      interfaces: offered,
      ...(Object.keys(keys).length > 0 && { keys }),
      ...(Object.keys(models).length > 0 && { models }),
      ...(lacks.length > 0 && { lacks }),
      ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
      expectations: "expectations.json",
      out: "touchstone-results",
    },
    expectations: knownFailures(results, lacks, catalogue),
    notes,
  };
}

function parted<T>(list: readonly T[], is: (one: T) => boolean): [T[], T[]] {
  return [list.filter(is), list.filter((one) => !is(one))];
}

const isAbsence = ({ message }: Error): boolean => /knows no operation/.test(message);

interface Look {
  readonly interface: string;
  readonly state: "answers" | "absent" | "wants-key" | "in-the-way";
  /** Why it does not answer. */
  readonly problem?: UserError;
  readonly results?: RunResults;
}

/** The first model for text that the target lists. */
async function offeredModel(
  url: string,
  { key = [], header = [], insecure = false }: RunOptions,
  { interfaces }: Catalogue,
): Promise<string | undefined> {
  const { keys } = keysFrom(
    key,
    undefined,
    interfaces.map(({ name }) => name),
    process.env,
  );
  const credential = keys["*"] ?? Object.values(keys)[0];
  const headers = headersFrom(header, undefined);
  const isGiven = headers.some(([name]) => isKeyHeader(name));
  if (credential !== undefined && !isGiven) headers.push(["authorization", `Bearer ${credential}`]);
  const sender = createSender({ ...defaultLimits, maxIdleMs: 10_000, insecure });
  try {
    return textModels(await listedModels(url, headers, sender))[0];
  } finally {
    await sender.close();
  }
}

/** Seconds that a server may take to respond to a request that costs nothing. */
const silentSeconds = 5;

/** Throws UserError if a server accepts a connection and sends nothing: a look would wait for each of its requests. */
async function refuseSilence(url: string, { timeout = silentSeconds, insecure = false }: RunOptions): Promise<void> {
  const { origin, host, pathname } = new URL(url);
  const sender = createSender({ ...defaultLimits, maxIdleMs: timeout * 1000, insecure });
  try {
    const headers = [["host", host]] as const;
    const { failure } = await sender.send(origin, { method: "GET", target: pathname, headers, body: new Uint8Array() });
    if (failure?.kind === "timed-out")
      throw new UserError(
        `${url} accepts connections, and sends no response within ${timeout} s`,
        "Look whether it is the right address, or wait longer: --timeout SECONDS.",
      );
  } finally {
    await sender.close();
  }
}

async function lookAtAll(url: string, options: RunOptions, catalogue: Catalogue, notes: string[]): Promise<Look[]> {
  const looks: Look[] = [];
  const isFree = isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ""));
  const bounded = isFree ? {} : { maxRequests: fewRequests, probes: false as const };
  // Users' own documents describe the interfaces to look for, as in a run.
  const names = catalogue.own.size > 0 ? [...catalogue.own] : catalogue.interfaces.map(({ name }) => name);
  for (const name of names) {
    try {
      const planned = await planRun(url, { ...bounded, ...options, interface: [name], shrink: 0 });
      const { results, error } = await prepareRun(planned).execute();
      if (error) throw error;
      looks.push({ interface: name, state: "answers", results });
      notes.push(
        `${name}: answers${isFree ? "" : `; at most ${fewRequests} requests were sent, a run sends more (--dry-run counts them, "limits" bound them)`}`,
      );
    } catch (error) {
      if (!(error instanceof UserError) || /cannot be reached/.test(error.message)) throw error;
      const state = isAbsence(error) ? "absent" : / key for /.test(error.message) ? "wants-key" : "in-the-way";
      looks.push({ interface: name, state, problem: error });
      notes.push(`${name}: ${state === "absent" ? "not offered" : `left out: ${error.message}; ${error.remedy}`}`);
    }
  }
  return looks;
}

/** Needs of requests that the target says it does not offer, where nothing with that need was answered. */
function lackedBy(results: readonly RunResults[]): string[] {
  const lacking = new Set<string>();
  for (const { incidents, plan } of results) {
    const refused = new Set(incidents.map(({ source }) => source));
    for (const { needs, notOffered } of incidents) {
      const [need, ...more] = needs;
      if (!notOffered || need === undefined || more.length > 0) continue;
      if (plan.cassettes.every((one) => !one.needs?.includes(need) || refused.has(one.source))) lacking.add(need);
    }
  }
  return [...lacking].sort();
}

/** Whether requests without a key were accepted, wherever they were sent. */
function wantsNoKey(results: readonly RunResults[], { interfaces }: Catalogue): boolean {
  const onMissing = new Set(interfaces.map(({ keyClauses }) => keyClauses?.missing));
  const answers = results.flatMap(({ clauses, findings }) =>
    clauses
      .filter(({ id, verdict }) => onMissing.has(id) && (verdict === "pass" || verdict === "fail"))
      .map(({ id }) => findings.some(({ clause, actual }) => clause === id && /^2\d\d$/.test(actual))),
  );
  return answers.length > 0 && answers.every(Boolean);
}

/** Days for which what failed at first is excused: a gate that is red from its first day is switched off. */
const graceDays = 90;

/** Excuses what fails today for a while; a new failure turns the gate red. */
function knownFailures(
  results: readonly RunResults[],
  lacks: readonly string[],
  { clauses: known }: Catalogue,
): Expectation[] {
  const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const reason = `failed when touchstone init looked on ${dayIn(0)}; nobody has looked into it yet`;
  const expires = dayIn(graceDays);
  const says = new Map(known.map((clause) => [clause.id, `${clause.says.replace(/\.$/, "")}: `]));
  const isLacked = (id: string): boolean => {
    const [of = "", section = ""] = id.split(".");
    return lackNamesOf(of, section).some((name) => lacks.includes(name));
  };
  const clauses = results.flatMap((one) =>
    one.clauses.filter(({ id, verdict }) => verdict === "fail" && !isLacked(id)).map(({ id }) => id),
  );
  const cassettes = results.flatMap(({ incidents }) =>
    incidents
      .filter(({ kind, needs }) => kind !== "rate-limited" && !needs.some((need) => lacks.includes(need)))
      .map(({ source }) => source),
  );
  return [
    ...[...new Set(clauses)]
      .sort()
      .map((clause) => ({ clause, reason: `${says.get(clause) ?? ""}${reason}`, expires })),
    ...[...new Set(cassettes)].sort().map((cassette) => ({ cassette, reason, expires })),
  ];
}
