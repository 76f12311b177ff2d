/** Asks a target every recorded cassette of chat-completions/laws. */
import { suite } from "../suite.ts";

suite("chat-completions", "laws");
