/** Asks a target every recorded cassette of generate-content/grounding. */
import { suite } from "../suite.ts";

suite("generate-content", "grounding");
