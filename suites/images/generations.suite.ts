/** Asks a target every recorded cassette of images/generations. */
import { suite } from "../suite.ts";

suite("images", "generations");
