/** Asks a target every recorded cassette of images/auth. */
import { suite } from "../suite.ts";

suite("images", "auth");
