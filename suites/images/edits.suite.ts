/** Asks a target every recorded cassette of images/edits. */
import { suite } from "../suite.ts";

suite("images", "edits");
