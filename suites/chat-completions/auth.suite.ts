/** Asks a target every recorded cassette of chat-completions/auth. */
import { suite } from "../suite.ts";

suite("chat-completions", "auth");
