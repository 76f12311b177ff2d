/** The names that may stand in a recording in clear: those of headers and query parameters that never carry a credential. */

const headers = new Set(
  `accept accept-charset accept-encoding accept-language accept-ranges access-control-allow-credentials
access-control-allow-headers access-control-allow-methods access-control-allow-origin access-control-expose-headers
access-control-max-age age allow alt-svc anthropic-beta anthropic-dangerous-direct-browser-access
anthropic-version cache-control cf-cache-status cf-ray connection content-disposition content-encoding
content-language content-length content-type date etag expect expires host idempotency-key if-match
if-none-match keep-alive last-modified max-forwards openai-beta openai-model openai-processing-ms
openai-version partner-beta partner-version pragma priority range request-id retry-after retry-after-ms sec-fetch-dest
sec-fetch-mode sec-fetch-site server server-timing strict-transport-security te trailer transfer-encoding
upgrade user-agent vary via warning x-accel-buffering x-cache x-cloud-trace-context x-content-type-options x-frame-options
x-goog-api-client x-goog-request-id x-powered-by x-request-id x-response-time x-robots-tag x-runtime
x-should-retry x-xss-protection`.split(/\s+/),
);

/** Families of names: rate limits, what official clients say of themselves. */
const families = /^(?:(?:x|anthropic)-ratelimit-|ratelimit|x-stainless-|sec-ch-ua)/;

/** Whether a header's value may be kept; `name` in lower case. */
export const isPlainHeader = (name: string): boolean => headers.has(name) || families.test(name);

const parameters = new Set(
  `alt $alt api-version limit after before order purpose pageSize prettyPrint quotaUser fields beta version stream
n size model`.split(/\s+/),
);

/** Whether a query parameter's value may be kept. */
export const isPlainParameter = (name: string): boolean => parameters.has(name);
