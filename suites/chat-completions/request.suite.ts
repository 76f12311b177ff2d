/** Asks a target every recorded cassette of chat-completions/request. */
import { suite } from "../suite.ts";

suite("chat-completions", "request");
