/** Declares a section's suite: one test a cassette of `recordings/<interface>/<section>`. */
export { suite } from "../src/run/send/suite.ts";
