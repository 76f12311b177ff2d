/** The suite of images: a test for each recording, in a block for each section. */
import { suiteOf } from "../src/run/send/suite.ts";

export const images = suiteOf("images", {
  generations: "generations",
  edits: "edits",
  variations: "variations",
  auth: "credentials",
  errors: "refusals",
});
