/** Copies image requests with a field changed, whether they are JSON or a form: the tool of counterexamples. */
import { editForm } from "../../../check/edit-form.ts";
import { editJson } from "../../../wire/edit.ts";
import type { Exchange } from "../../../wire/exchange.ts";
import { headerValue, mediaType } from "../../../wire/headers.ts";
import { isObject, parseJsonBytes } from "../../../wire/json.ts";
import type { Kind } from "../reading/fields.ts";

/** Changes the JSON object of one side; undefined where there is none. `change` may alter its copy or return another. */
export function editObject(
  exchange: Exchange,
  side: "request" | "response",
  change: (body: Record<string, unknown>) => unknown,
): Exchange | undefined {
  let isThere = false;
  const changed = editJson(exchange, side, (body: unknown) => {
    isThere = isObject(body);
    return isObject(body) ? change(body) : undefined;
  });
  return isThere ? changed : undefined;
}

/** Sets a field to a value; in a form, to the value's text. */
export function setField(exchange: Exchange, name: string, value: unknown): Exchange | undefined {
  if (mediaType(headerValue(exchange.request.headers, "content-type")) === "multipart/form-data")
    return editForm(exchange, (fields) => [...fields.filter(([other]) => other !== name), [name, String(value)]]);
  return editObject(exchange, "request", (body) => void (body[name] = value));
}

/** The request's JSON object; an empty one where it is none. */
export function requestJsonOf({ request }: Exchange): Readonly<Record<string, unknown>> {
  const json = parseJsonBytes(request.body);
  return json.ok && isObject(json.value) ? json.value : {};
}

/** Names the kind in a form that left it to its parameters, so that changing these does not change the kind. */
export function withKind(exchange: Exchange, kind: Kind): Exchange {
  if (kind !== "image-multi") return exchange;
  return (
    editForm(exchange, (fields) =>
      fields.some(([name]) => name === "model") ? undefined : [...fields, ["model", kind]],
    ) ?? exchange
  );
}
