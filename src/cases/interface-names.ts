/** The interfaces that cases answer in. */

export type InterfaceName = "chat-completions" | "images" | "messages" | "generate-content";

export const everyInterface: readonly InterfaceName[] = ["chat-completions", "messages", "generate-content", "images"];

/** Those that stream. */
export const streaming: readonly InterfaceName[] = ["chat-completions", "messages", "generate-content"];
