/** Asks a target every recorded cassette of generate-content/auth. */
import { suite } from "../suite.ts";

suite("generate-content", "auth");
