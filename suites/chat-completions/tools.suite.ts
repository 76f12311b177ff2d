/** Asks a target every recorded cassette of chat-completions/tools. */
import { suite } from "../suite.ts";

suite("chat-completions", "tools");
