/** Faults with chat requests that users report: rules not enforced, and legal requests refused. */
import { type Fault, fail, unenforced, warning } from "../fault.ts";

export const chatRequests: readonly Fault[] = [
  {
    name: "chat: temperature not limited",
    users: "temperature 3 is taken",
    probes: "cheap",
    expected: unenforced("chat-completions.request.temperature-range"),
    alsoBreaks: ["chat-completions.errors.invalid-request-refused"],
    lets: (clause) => clause === "chat-completions.request.temperature-range",
  },
  {
    name: "chat: temperature 2 refused",
    users: "the limit itself is refused",
    probes: "cheap",
    expected: fail("chat-completions.request.temperature-range"),
    refuses: ({ temperature }) => temperature === 2 && "temperature must be less than 2",
  },
  {
    name: "chat: role developer refused",
    users: "developer is not one of system, assistant, user",
    probes: "cheap",
    expected: warning("chat-completions.conversation.role-values"),
    refuses: ({ messages }) =>
      messages.some(({ role }: { role: string }) => role === "developer") && "role must be system, user or assistant",
  },
  {
    name: "chat: unknown roles taken",
    users: "any role is taken, and its message is dropped",
    probes: "cheap",
    expected: unenforced("chat-completions.conversation.role-values"),
    lets: (clause) => clause === "chat-completions.conversation.role-values",
  },
  {
    name: "chat: numbers as text taken",
    users: 'temperature: "0.5" is taken',
    probes: "cheap",
    expected: unenforced("chat-completions.request.temperature-type"),
    lets: (clause) => clause === "chat-completions.request.temperature-type",
  },
  {
    name: "chat: tool results without call taken",
    users: "tool messages without tool_call_id are taken",
    probes: "cheap",
    expected: unenforced("chat-completions.conversation.tool-call-id-required"),
    lets: (clause) => clause === "chat-completions.conversation.tool-call-id-required",
  },
  {
    name: "chat: function names not checked",
    users: "a function name with blanks is taken, and later breaks the call",
    probes: "cheap",
    expected: unenforced("chat-completions.tools.tool-name-characters"),
    lets: (clause) => clause === "chat-completions.tools.tool-name-characters",
  },
  {
    name: "chat: no key needed",
    users: "requests without any key are answered",
    expected: fail("chat-completions.auth.missing-key-fails"),
    opens: () => true,
    lets: (clause) => clause.startsWith("chat-completions.auth."),
  },
  {
    name: "chat: wrong keys taken",
    users: "any key is taken",
    probes: "cheap",
    expected: unenforced("chat-completions.auth.invalid-key-fails"),
    opens: ({ headers }) => headers.some(([name, value]) => name.toLowerCase() === "authorization" && value !== ""),
  },
  {
    name: "chat: no validation at all",
    users: "whatever is sent is answered",
    expected: unenforced("chat-completions.errors.invalid-request-refused"),
    lets: (clause) => !clause.startsWith("chat-completions.auth."),
  },
  {
    name: "chat: list of parts refused",
    users: "content: Input should be a valid string",
    probes: "cheap",
    expected: fail("chat-completions.conversation.user-content-type"),
    refuses: ({ messages }) =>
      messages.some(
        ({ role, content }: { role: string; content: unknown }) => role === "user" && Array.isArray(content),
      ) && "content must be a string",
  },
  {
    name: "chat: stop as a list refused",
    users: "stop must be a string",
    probes: "cheap",
    expected: fail("chat-completions.request.stop-type"),
    refuses: ({ stop }) => Array.isArray(stop) && "stop must be a text",
  },
  {
    name: "chat: null refused",
    users: "SDKs send null for options that are not set, and are refused",
    probes: "cheap",
    expected: fail("chat-completions.request.temperature-type"),
    refuses: ({ temperature }) => temperature === null && "temperature must be a number",
  },
];
