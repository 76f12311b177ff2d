/** Asks a target every recorded cassette of messages/content. */
import { suite } from "../suite.ts";

suite("messages", "content");
