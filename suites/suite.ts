/** Declares a section's suite, judged by the catalogue of the four interfaces. */
import { loadCatalogue } from "../src/interfaces/catalogue.ts";
import { suite as declare } from "../src/run/suite.ts";

const catalogue = await loadCatalogue();

/** One test a cassette of `recordings/<interface>/<section>`. */
export const suite = (interfaceName: string, section: string): void => declare(interfaceName, section, catalogue);
