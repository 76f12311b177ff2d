/** One body of each kind, for counterexamples that swap them. */

export const failureSample = {
  type: "error",
  error: { type: "invalid_request_error", message: "max_tokens: missing", code: "missing_field" },
};

export const messageSample = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "model-1",
  content: [{ type: "text", text: "Hello" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 8, output_tokens: 1 },
};
