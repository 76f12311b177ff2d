/** Asks a target every recorded cassette of chat-completions/streaming. */
import { suite } from "../suite.ts";

suite("chat-completions", "streaming");
