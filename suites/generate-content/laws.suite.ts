/** Asks a target every recorded cassette of generate-content/laws. */
import { suite } from "../suite.ts";

suite("generate-content", "laws");
