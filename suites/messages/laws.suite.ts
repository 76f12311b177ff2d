/** Asks a target every recorded cassette of messages/laws. */
import { suite } from "../suite.ts";

suite("messages", "laws");
