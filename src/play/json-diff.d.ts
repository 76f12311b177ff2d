/** The part of json-diff that is used; it brings no types of its own. */
declare module "json-diff" {
  export function diffString(before: unknown, after: unknown, options?: { readonly color?: boolean }): string;
}
