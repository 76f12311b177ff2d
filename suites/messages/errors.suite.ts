/** Asks a target every recorded cassette of messages/errors. */
import { suite } from "../suite.ts";

suite("messages", "errors");
