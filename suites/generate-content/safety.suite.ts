/** Asks a target every recorded cassette of generate-content/safety. */
import { suite } from "../suite.ts";

suite("generate-content", "safety");
