/** The images interface: its operations and the rules of its sections. */
import type { Interface } from "../../check/interface.ts";

export const images: Interface = {
  name: "images",
  document: "chat-completions-and-images",
  operations: [],
  rules: [],
};
