/** Asks a target every recorded cassette of chat-completions/response. */
import { suite } from "../suite.ts";

suite("chat-completions", "response");
