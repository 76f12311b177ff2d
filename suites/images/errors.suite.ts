/** Asks a target every recorded cassette of images/errors. */
import { suite } from "../suite.ts";

suite("images", "errors");
