/** Asks a target every recorded cassette of generate-content/generation-config. */
import { suite } from "../suite.ts";

suite("generate-content", "generation-config");
