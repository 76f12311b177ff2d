/** The clauses that cases violate, by interface. Made by `npm run cases:violations`; a test holds it. */
export const violations: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "stream/empty-data": {
    "chat-completions": ["chat-completions.streaming.event-is-json"],
    messages: ["messages.streaming.events-json"],
    "generate-content": ["generate-content.streaming.events-json"],
  },
  "chat-completions/no-usage-chunk": {
    "chat-completions": ["chat-completions.streaming.usage-chunk-sent"],
  },
  "images/no-data": {
    images: ["images.response.data-present"],
  },
  "chat-completions/choices-missing": {
    "chat-completions": [
      "chat-completions.streaming.choices-required",
      "chat-completions.streaming.usage-only-when-asked",
    ],
  },
  "chat-completions/choices-missing-between": {
    "chat-completions": ["chat-completions.streaming.choices-required"],
  },
  "chat-completions/choices-null": {
    "chat-completions": ["chat-completions.streaming.choices-type", "chat-completions.streaming.usage-only-when-asked"],
  },
  "chat-completions/null-event": {
    "chat-completions": ["chat-completions.streaming.event-is-chunk"],
  },
  "chat-completions/empty-object-event": {
    "chat-completions": [
      "chat-completions.streaming.choices-required",
      "chat-completions.streaming.created-required",
      "chat-completions.streaming.id-required",
      "chat-completions.streaming.model-required",
      "chat-completions.streaming.object-required",
    ],
  },
  "chat-completions/delta-null": {
    "chat-completions": ["chat-completions.streaming.delta-type"],
  },
  "chat-completions/delta-missing": {
    "chat-completions": ["chat-completions.streaming.delta-required"],
  },
  "chat-completions/content-in-last-chunk": {
    "chat-completions": ["chat-completions.streaming.last-delta-empty"],
  },
  "chat-completions/role-missing": {
    "chat-completions": ["chat-completions.streaming.first-chunk-role"],
  },
  "chat-completions/role-empty": {
    "chat-completions": ["chat-completions.streaming.delta-role-value"],
  },
  "chat-completions/role-empty-in-call": {
    "chat-completions": ["chat-completions.streaming.delta-role-value"],
  },
  "chat-completions/usage-in-every-chunk": {
    "chat-completions": ["chat-completions.streaming.usage-only-when-asked"],
  },
  "chat-completions/few-members": {
    "chat-completions": [
      "chat-completions.streaming.created-required",
      "chat-completions.streaming.id-required",
      "chat-completions.streaming.index-required",
      "chat-completions.streaming.model-required",
      "chat-completions.streaming.object-required",
    ],
  },
  "chat-completions/content-as-parts": {
    "chat-completions": ["chat-completions.streaming.delta-content-type"],
  },
  "chat-completions/no-finish-reason": {
    "chat-completions": ["chat-completions.streaming.finish-reason-in-last-chunk"],
  },
  "chat-completions/unknown-finish-reason": {
    "chat-completions": ["chat-completions.streaming.finish-reason-values"],
  },
  "chat-completions/empty-finish-reason": {
    "chat-completions": ["chat-completions.streaming.finish-reason-values"],
  },
  "chat-completions/done-missing": {
    "chat-completions": ["chat-completions.streaming.done-sent"],
  },
  "chat-completions/done-with-blanks": {
    "chat-completions": ["chat-completions.streaming.done-sent", "chat-completions.streaming.event-is-json"],
  },
  "chat-completions/chunk-after-done": {
    "chat-completions": ["chat-completions.streaming.done-last"],
  },
  "chat-completions/done-twice": {
    "chat-completions": ["chat-completions.streaming.done-once"],
  },
  "chat-completions/calls-without-finish-reason": {
    "chat-completions": ["chat-completions.streaming.finish-reason-in-last-chunk"],
  },
  "chat-completions/whole-choices-empty": {
    "chat-completions": ["chat-completions.exchange.choice-count"],
  },
  "chat-completions/whole-unknown-finish-reason": {
    "chat-completions": ["chat-completions.response.finish-reason-values"],
  },
  "chat-completions/whole-finish-null": {
    "chat-completions": ["chat-completions.response.finish-reason-type"],
  },
  "chat-completions/whole-few-members": {
    "chat-completions": [
      "chat-completions.response.created-required",
      "chat-completions.response.id-required",
      "chat-completions.response.model-required",
      "chat-completions.response.object-required",
    ],
  },
  "chat-completions/whole-arguments-as-object": {
    "chat-completions": ["chat-completions.response.tool-call-arguments-type"],
  },
  "chat-completions/whole-call-without-content": {
    "chat-completions": ["chat-completions.response.content-required"],
  },
  "messages/no-message-stop": {
    messages: ["messages.streaming.message-stop-present"],
  },
  "messages/no-message-delta": {
    messages: ["messages.streaming.message-delta-present"],
  },
  "messages/no-block-stop": {
    messages: ["messages.streaming.block-stopped"],
  },
  "messages/unknown-stop-reason": {
    messages: ["messages.streaming.stop-reason-values"],
  },
  "messages/usage-null": {
    messages: ["messages.streaming.usage-required"],
  },
  "messages/usage-missing": {
    messages: ["messages.streaming.usage-required"],
  },
  "messages/index-missing": {
    messages: [
      "messages.streaming.block-delta-index-required",
      "messages.streaming.block-start-index-required",
      "messages.streaming.block-stop-index-required",
    ],
  },
  "messages/empty-ping": {
    messages: ["messages.streaming.events-json"],
  },
  "messages/whole-stop-reason-null": {
    messages: ["messages.response.stop-reason-not-null"],
  },
  "messages/whole-usage-missing": {
    messages: ["messages.response.usage-required"],
  },
  "messages/whole-content-text": {
    messages: ["messages.response.content-array"],
  },
  "generate-content/done-behind-end": {
    "generate-content": ["generate-content.streaming.events-json"],
  },
  "generate-content/unknown-finish-reason": {
    "generate-content": ["generate-content.response.finish-reason-values"],
  },
  "generate-content/array-for-stream": {
    "generate-content": ["generate-content.streaming.events-when-asked"],
  },
  "failure/error-with-success": {
    "chat-completions": ["chat-completions.errors.no-error-in-success"],
    messages: ["messages.errors.status-fits-body"],
    "generate-content": ["generate-content.errors.status-fits-body"],
    images: ["images.errors.status"],
  },
  "failure/error-json-for-stream": {
    "chat-completions": ["chat-completions.errors.no-error-in-success"],
    messages: ["messages.errors.status-fits-body"],
    "generate-content": ["generate-content.errors.status-fits-body"],
  },
  "failure/bare-error-in-stream": {
    "chat-completions": ["chat-completions.errors.no-error-in-success"],
    messages: ["messages.errors.status-fits-body"],
    "generate-content": ["generate-content.errors.status-fits-body"],
  },
  "failure/whole-for-stream": {
    "chat-completions": ["chat-completions.streaming.stream-when-asked"],
    messages: ["messages.streaming.stream-when-asked"],
    "generate-content": ["generate-content.streaming.events-when-asked"],
  },
  "failure/402": {
    "generate-content": ["generate-content.errors.invalid-argument-status"],
  },
  "failure/405": {
    "generate-content": ["generate-content.errors.invalid-argument-status"],
  },
  "failure/422": {
    "generate-content": ["generate-content.errors.invalid-argument-status"],
  },
  "failure/408": {
    "generate-content": ["generate-content.errors.invalid-argument-status"],
  },
  "failure/409": {
    "generate-content": ["generate-content.errors.invalid-argument-status"],
  },
  "failure/502": {
    "generate-content": ["generate-content.errors.internal-status"],
  },
  "failure/529": {
    "generate-content": ["generate-content.errors.internal-status"],
  },
  "failure/502-page": {
    messages: ["messages.errors.body-json"],
    "generate-content": ["generate-content.errors.body-json"],
  },
  "failure/503-empty": {
    messages: ["messages.errors.body-json"],
    "generate-content": ["generate-content.errors.body-json"],
  },
  "failure/400-text": {
    messages: ["messages.errors.body-json"],
    "generate-content": ["generate-content.errors.body-json"],
  },
  "failure/400-other-shape": {
    messages: ["messages.errors.error-object"],
    "generate-content": ["generate-content.errors.error-type"],
  },
  "failure/401-page": {
    messages: ["messages.errors.body-json"],
    "generate-content": ["generate-content.errors.body-json"],
  },
  "failure/500-list": {
    messages: ["messages.errors.body-object"],
    "generate-content": ["generate-content.errors.body-object"],
  },
  "failure/400-broken-json": {
    messages: ["messages.errors.body-json"],
    "generate-content": ["generate-content.errors.body-json"],
  },
  "failure/page": {
    "chat-completions": ["chat-completions.response.body-is-json", "chat-completions.streaming.stream-when-asked"],
    messages: ["messages.response.body-json", "messages.streaming.stream-when-asked"],
    "generate-content": ["generate-content.response.body-json", "generate-content.streaming.events-when-asked"],
    images: ["images.response.json"],
  },
  "failure/page-as-stream": {
    "chat-completions": ["chat-completions.streaming.done-sent"],
    messages: ["messages.streaming.message-stop-present"],
  },
  "failure/empty-success": {
    "chat-completions": ["chat-completions.response.body-is-json", "chat-completions.streaming.stream-when-asked"],
    messages: ["messages.response.body-json", "messages.streaming.stream-when-asked"],
    "generate-content": ["generate-content.response.body-json", "generate-content.streaming.events-when-asked"],
    images: ["images.response.json"],
  },
  "failure/no-content": {
    "chat-completions": ["chat-completions.response.body-is-json", "chat-completions.streaming.stream-when-asked"],
    messages: ["messages.response.body-json", "messages.streaming.stream-when-asked"],
    "generate-content": ["generate-content.response.body-json", "generate-content.streaming.events-when-asked"],
    images: ["images.response.json"],
  },
  "cut/gzip-cut": {
    "chat-completions": [
      "chat-completions.response.body-is-json",
      "chat-completions.streaming.done-sent",
      "chat-completions.streaming.event-is-json",
    ],
    messages: ["messages.response.body-json", "messages.streaming.events-json"],
    "generate-content": ["generate-content.response.body-json", "generate-content.streaming.events-json"],
    images: ["images.response.json"],
  },
  "cut/end-in-text": {
    "chat-completions": ["chat-completions.streaming.done-sent"],
    messages: ["messages.streaming.message-stop-present"],
  },
  "cut/end-in-event": {
    "chat-completions": ["chat-completions.streaming.done-sent", "chat-completions.streaming.event-is-json"],
    messages: ["messages.streaming.events-json"],
    "generate-content": ["generate-content.streaming.events-json"],
  },
  "cut/end-in-arguments": {
    "chat-completions": ["chat-completions.streaming.done-sent"],
    messages: ["messages.streaming.message-stop-present"],
    "generate-content": ["generate-content.streaming.events-json"],
  },
  "cut/end-after-first-event": {
    "chat-completions": ["chat-completions.streaming.done-sent"],
    messages: ["messages.streaming.message-stop-present"],
  },
  "cut/no-event": {
    "chat-completions": ["chat-completions.streaming.done-sent"],
    messages: ["messages.streaming.message-stop-present"],
  },
  "cut/broken-json": {
    "chat-completions": ["chat-completions.response.body-is-json"],
    messages: ["messages.response.body-json"],
    "generate-content": ["generate-content.response.body-json"],
    images: ["images.response.json"],
  },
  "cut/broken-event": {
    "chat-completions": ["chat-completions.streaming.event-is-json"],
    messages: ["messages.streaming.events-json"],
    "generate-content": ["generate-content.streaming.events-json"],
  },
  "cut/event-no-json": {
    "chat-completions": ["chat-completions.streaming.event-is-json"],
    messages: ["messages.streaming.events-json"],
    "generate-content": ["generate-content.streaming.events-json"],
  },
  "cut/bad-utf8": {
    "chat-completions": ["chat-completions.response.body-is-json"],
    messages: ["messages.response.body-json"],
    "generate-content": ["generate-content.response.body-json"],
  },
  "cut/named-error-event": {
    "chat-completions": ["chat-completions.streaming.done-sent", "chat-completions.streaming.event-is-json"],
    messages: ["messages.streaming.events-json"],
    "generate-content": ["generate-content.streaming.events-json"],
  },
  "endless/head": {
    "chat-completions": ["chat-completions.response.body-is-json", "chat-completions.streaming.stream-when-asked"],
    messages: ["messages.response.body-json", "messages.streaming.stream-when-asked"],
    "generate-content": ["generate-content.response.body-json", "generate-content.streaming.events-when-asked"],
    images: ["images.response.json"],
  },
  "endless/comments": {
    "chat-completions": ["chat-completions.streaming.done-sent"],
    messages: ["messages.streaming.message-stop-present"],
  },
  "endless/line": {
    "chat-completions": ["chat-completions.streaming.done-sent", "chat-completions.streaming.event-is-json"],
    messages: ["messages.streaming.events-json"],
    "generate-content": ["generate-content.streaming.events-json"],
  },
};
