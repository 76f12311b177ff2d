/** Asks a target every recorded cassette of images/variations. */
import { suite } from "../suite.ts";

suite("images", "variations");
