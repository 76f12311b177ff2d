/** Asks a target every recorded cassette of generate-content/content. */
import { suite } from "../suite.ts";

suite("generate-content", "content");
