/** Asks a target every recorded cassette of messages/response. */
import { suite } from "../suite.ts";

suite("messages", "response");
