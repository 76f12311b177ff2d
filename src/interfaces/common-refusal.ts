/** The error body of interfaces whose errors name the member at fault as `param`. */
import type { Finding } from "../check/clause.ts";
import type { RefusalReason } from "../check/interface.ts";

/** The member a finding speaks about, as `messages[0].role`; null where it speaks about none. */
function memberOf({ in: place, pointer }: Finding): string | null {
  if ((place !== "body" && place !== "form") || pointer === "") return null;
  const path = pointer.slice(1).replaceAll("/", ".");
  return path
    .replace(/\.(\d+)(?=\.|$)/g, "[$1]")
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
}

export const refusalNamingMember = ({ message, finding }: RefusalReason): object => ({
  error: { message, type: "invalid_request_error", param: memberOf(finding), code: finding.clause },
});
