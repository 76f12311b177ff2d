/** Asks a target every recorded cassette of generate-content/streaming. */
import { suite } from "../suite.ts";

suite("generate-content", "streaming");
