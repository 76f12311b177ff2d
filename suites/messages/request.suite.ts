/** Asks a target every recorded cassette of messages/request. */
import { suite } from "../suite.ts";

suite("messages", "request");
