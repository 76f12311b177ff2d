/** The messages interface: its operations and the rules of its sections. */
import type { Interface } from "../../check/interface.ts";

export const messages: Interface = {
  name: "messages",
  document: "messages",
  operations: [],
  rules: [],
};
