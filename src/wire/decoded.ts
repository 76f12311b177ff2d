/** The result of undoing a content encoding. */
export type Decoded =
  /** `partial` when the body ends too early, as that of an exchange broken off does; `bytes` is what could be read. */
  | { readonly ok: true; readonly bytes: Uint8Array; readonly partial?: true }
  /** `tooLarge` where it may be fine, and was not read to its end, since it grows too large. */
  | { readonly ok: false; readonly problem: string; readonly tooLarge?: true };
