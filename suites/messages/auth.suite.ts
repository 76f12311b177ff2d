/** Asks a target every recorded cassette of messages/auth. */
import { suite } from "../suite.ts";

suite("messages", "auth");
