/** Asks a target every recorded cassette of chat-completions/errors. */
import { suite } from "../suite.ts";

suite("chat-completions", "errors");
