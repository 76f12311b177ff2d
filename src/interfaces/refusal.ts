/** How a request that breaks a clause is refused: in the error shape its interface documents. */
import type { Finding } from "../check/clause.ts";

export interface Refusal {
  readonly status: 400 | 401;
  /** JSON. */
  readonly body: string;
}

type Shape = (status: Refusal["status"], message: string, finding: Finding) => object;

/** The member a finding speaks about, as `messages[0].role`; null where it speaks about none. */
function memberOf({ in: place, pointer }: Finding): string | null {
  if ((place !== "body" && place !== "form") || pointer === "") return null;
  const path = pointer.slice(1).replaceAll("/", ".");
  return path
    .replace(/\.(\d+)(?=\.|$)/g, "[$1]")
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
}

const shared: Shape = (_, message, finding) => ({
  error: { message, type: "invalid_request_error", param: memberOf(finding), code: finding.clause },
});

const shapes: Readonly<Record<string, Shape>> = {
  "chat-completions": shared,
  images: shared,
  messages: (status, message, { clause }) => ({
    type: "error",
    error: { type: status === 401 ? "authentication_error" : "invalid_request_error", message, code: clause },
  }),
  "generate-content": (status, message) => ({
    error: { code: status, message, status: status === 401 ? "UNAUTHENTICATED" : "INVALID_ARGUMENT" },
  }),
};

/** The refusal of a request for its error findings; undefined where there are none. Missing credentials are a 401. */
export function refusalOf(findings: readonly Finding[]): Refusal | undefined {
  const faults = findings.filter(({ level, side }) => level === "error" && side === "request");
  const first = faults.find(({ clause }) => clause.includes(".auth.")) ?? faults[0];
  const shape = first && shapes[first.interface];
  if (!shape) return undefined;
  const status = first.clause.includes(".auth.") ? 401 : 400;
  const more = faults.length > 1 ? `, and ${faults.length - 1} more` : "";
  return { status, body: JSON.stringify(shape(status, `${first.message} [${first.clause}]${more}`, first)) };
}
