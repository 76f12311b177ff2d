/** Holds the results of a run against the command line that its manifest names. */
import type { RunResults } from "../verdict/run-results.ts";
import type { Problem } from "./compare.ts";
import { type Manifest, manifestName, resultsName } from "./manifest.ts";

const hostOf = (text: string): string | undefined => (URL.canParse(text) ? new URL(text).host : undefined);

/** What results say of themselves. */
interface ClaimedVersions {
  /** The command that wrote them. */
  readonly command: string;
  /** What was asked; null for the embedded reference. */
  readonly url: string | null;
  readonly touchstone: string;
  readonly documents: Manifest["documents"];
}

/** Checks the manifest's claims about versions and the target against the results. */
export function* versionsThatDiffer(
  manifest: Manifest,
  { url, touchstone, ...results }: ClaimedVersions,
): Generator<Problem> {
  const file = manifestName;
  const [, command, target = ""] = manifest.command;
  // A baseline is of the same command as the run beside it.
  const beside = optionIn(manifest.command, "--baseline");
  const isBeside = beside !== undefined && (!/^https?:/i.test(beside) || hostOf(beside) === hostOf(url ?? ""));
  if (command === results.command && /^https?:/i.test(target) && hostOf(target) !== hostOf(url ?? "") && !isBeside)
    yield { file, what: `its command asks ${target}, and the results are of ${url ?? "the reference"}` };
  if (manifest.touchstone !== touchstone)
    yield { file, what: `it names touchstone ${manifest.touchstone}, and the results ${touchstone}` };
  for (const name of new Set([...Object.keys(manifest.documents), ...Object.keys(results.documents)]))
    if (manifest.documents[name] !== results.documents[name])
      yield { file, what: `it names other clauses of the document ${name} than the results` };
}

/** The value of an option on a command line; undefined where it is not there. */
function optionIn(command: readonly string[], option: string): string | undefined {
  const at = command.findLastIndex((argument) => argument === option || argument.startsWith(`${option}=`));
  if (at < 0) return undefined;
  return command[at] === option ? command[at + 1] : command[at]!.slice(option.length + 1);
}

/**
 * How often the run says that it asked again where a model did not play along. If every model did, no exchange shows it: then
 * it must be what the command comes to.
 */
export function* againAmiss({ command }: Manifest, { options, plan, target }: RunResults): Generator<Problem> {
  const { again } = options;
  const tell = (what: string): Problem => ({ file: resultsName, what: `options.again is ${again}, but ${what}` });
  if (plan.limit !== null) {
    if (again !== 0) yield tell("a run with a bound on requests asks nothing again");
    return;
  }
  if (![0, 1, 2].includes(again)) {
    yield tell("a run asks again at most twice");
    return;
  }
  const retries = optionIn(command, "--retries");
  // A target file may say how often to ask; and shards may have been asked by any command.
  const isTold =
    retries !== undefined || target.url === null || command.some((one) => hostOf(one) === hostOf(target.url!));
  const wanted = Math.min(2, Number(retries ?? 3));
  if (command[1] === "run" && isTold && again !== wanted) yield tell(`its command comes to ${wanted}`);
}
