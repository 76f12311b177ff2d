/** Asks a target every recorded cassette of generate-content/response. */
import { suite } from "../suite.ts";

suite("generate-content", "response");
