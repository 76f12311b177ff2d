/** Asks a target every recorded cassette of generate-content/tools. */
import { suite } from "../suite.ts";

suite("generate-content", "tools");
