/** Asks a target every recorded cassette of generate-content/errors. */
import { suite } from "../suite.ts";

suite("generate-content", "errors");
