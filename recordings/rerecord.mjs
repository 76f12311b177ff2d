/** Records every cassette of this folder anew: the official SDKs, through `touchstone record`, against `touchstone serve`. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { start } from "./commands.mjs";
import { laws } from "./laws.mjs";
import { sessions } from "./sessions.mjs";

const folder = dirname(fileURLToPath(import.meta.url));
const wanted = process.argv.slice(2);

/** One line of JSON an exchange, spread out for people: objects indented, header pairs and chunks a line each. */
function pretty(cassette) {
  const text = JSON.stringify(cassette, null, 2);
  return `${text.replace(/\[\n\s+("(?:[^"\\]|\\.)*"|[\d.]+),\n\s+("(?:[^"\\]|\\.)*")\n\s+\]/g, "[$1, $2]")}\n`;
}

const temporary = mkdtempSync(join(tmpdir(), "touchstone-"));
const reference = await start("serve");
for (const session of [...sessions, ...laws]) {
  const path = `${session.interface}/${session.section}/${session.name}`;
  if (wanted.length && !wanted.some((part) => path.includes(part))) continue;
  const tape = join(temporary, `${path.replaceAll("/", "-")}.jsonl`);
  const recorder = await start("record", reference.url, "--out", tape, "--preset", "vendors", "--quiet");
  try {
    await session.run(recorder.url);
  } finally {
    await recorder.stop();
  }
  const [, ...lines] = readFileSync(tape, "utf8").trim().split("\n");
  const exchanges = lines.map((line, position) => {
    const { origin: _origin, ...exchange } = JSON.parse(line);
    const bind = session.bind?.filter(({ exchange: at }) => at === position).map(({ from, to }) => ({ from, to }));
    return { ...exchange, ...(bind?.length && { bind }) };
  });
  const file = join(folder, `${path}.json`);
  mkdirSync(dirname(file), { recursive: true });
  const { interface: name, spans, needs, violates, undocumented } = session;
  const vendorNames = { names: { "partner-version": "anthropic-version", "partner-beta": "anthropic-beta" } };
  writeFileSync(
    file,
    pretty({
      touchstone: 1,
      interface: name,
      ...(spans && { spans }),
      ...(needs && { needs }),
      ...(violates && { violates }),
      ...(undocumented && { undocumented }),
      bindings: vendorNames,
      exchanges,
    }),
  );
  console.log(`recorded ${path}: ${exchanges.length} exchange${exchanges.length === 1 ? "" : "s"}`);
}
await reference.stop();
rmSync(temporary, { recursive: true });
