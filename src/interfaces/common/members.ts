/** Reads members of JSON that may be anything. */
import { isObject } from "../../wire/json.ts";

export const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

/** The items of a list that is a member; none where there is no list. */
export function itemsAt(value: unknown, name: string): readonly unknown[] {
  const list = memberOf(value, name);
  return Array.isArray(list) ? list : [];
}
