/** `touchstone prove --cases`: shows that the cases tell each fault of a client, alone; exit code 1 unless they do. */
import { createPrinter } from "../report/terminal/printer.ts";

export async function proveAllCases({ format }: { readonly format: string }): Promise<void> {
  const { openCatalogue } = await import("../interfaces/catalogue.ts");
  const { isProven, proveCases } = await import("../cases/proof/prove-cases.ts");
  const printer = createPrinter();
  const proof = await proveCases(await openCatalogue(), {
    progress: (done, of) => printer.progress(`${done} of ${of} faults`),
  });
  printer.progress("");
  const proven = isProven(proof);
  if (format === "json") await printer.write(`${JSON.stringify({ ...proof, proven }, null, 2)}\n`);
  else {
    const width = Math.max(...proof.faults.map(({ fault }) => fault.length));
    for (const one of proof.amiss) await printer.write(`amiss without a fault  ${one}\n`);
    for (const { fault, says, told, silent, strays } of proof.faults) {
      const by =
        told.length > 0 ? `told by ${told.slice(0, 3).join(", ")}${told.length > 3 ? ", ..." : ""}` : "not told";
      await printer.write(`${fault.padEnd(width)}  ${says}: ${by}\n`);
      for (const pattern of silent) await printer.write(`${"".padEnd(width)}  silent: ${pattern}\n`);
      for (const id of strays) await printer.write(`${"".padEnd(width)}  changed without a reason: ${id}\n`);
    }
    const told = proof.faults.filter(
      (one) => one.told.length > 0 && one.silent.length + one.strays.length === 0,
    ).length;
    await printer.write(
      `${told} of ${proof.faults.length} faults told, alone; ${proof.cases - proof.amiss.length} of ${proof.cases} cases pass without a fault\n`,
    );
  }
  process.exitCode = proven ? 0 : 1;
}
