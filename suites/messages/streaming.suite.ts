/** Asks a target every recorded cassette of messages/streaming. */
import { suite } from "../suite.ts";

suite("messages", "streaming");
