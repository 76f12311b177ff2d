/** Asks a target every recorded cassette of chat-completions/conversation. */
import { suite } from "../suite.ts";

suite("chat-completions", "conversation");
