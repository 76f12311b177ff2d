/** The suites that ship with touchstone, and those of interfaces that people bring. */
import { type Suite, suiteOf } from "../src/run/send/suite.ts";
import { chatCompletions } from "./chat-completions.suite.ts";
import { generateContent } from "./generate-content.suite.ts";
import { images } from "./images.suite.ts";
import { messages } from "./messages.suite.ts";

export const suites: readonly Suite[] = [chatCompletions, generateContent, images, messages];

/** The suite of an interface; of one that ships none, a suite that takes sections as its recordings name them. */
export const suiteFor = (name: string): Suite => suites.find((suite) => suite.interface === name) ?? suiteOf(name, {});
