/** The generate-content interface: its operations and the rules of its sections. */
import type { Interface } from "../../check/interface.ts";

export const generateContent: Interface = {
  name: "generate-content",
  document: "generate-content",
  operations: [],
  rules: [],
};
