/** Asks a target every recorded cassette of messages/tools. */
import { suite } from "../suite.ts";

suite("messages", "tools");
