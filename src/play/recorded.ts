/** What a recording asks, and where anything may stand in a request that asks the same. */
import type { WireRequest } from "../wire/exchange.ts";
import { formOf, type RequestForm } from "./form.ts";
import { marked } from "./marks.ts";
import { type Hole, holesOf } from "./wildcards.ts";

/** The form of a recorded request with the wildcards it has: where it says that something was taken out, anything may stand. */
export function recordedForm(
  recorded: WireRequest,
  headers: readonly string[] = [],
): { readonly form: RequestForm; readonly holes: readonly Hole[]; readonly anyBody: boolean } {
  const { request, mark, anyBody: masked } = marked(recorded) ?? { request: recorded, mark: undefined, anyBody: false };
  const form = formOf(request, headers, mark);
  // Bytes that are no text show no mark.
  const anyBody = masked || recorded.cut !== undefined || (form.bytes !== undefined && request.body !== recorded.body);
  return { form, holes: holesOf(form, mark, anyBody), anyBody };
}
