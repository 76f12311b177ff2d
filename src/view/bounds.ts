/** How much of an exchange a page holds. */
export interface Bounds {
  /** Characters of one string; of a longer one its beginning and its end are kept. */
  readonly string: number;
  /** Characters of one body, or of the data of one event. */
  readonly body: number;
  /** Events of a stream; of more, the first and the last, and those around the ones to be kept. */
  readonly events: number;
  /** Bytes of an image that is shown. */
  readonly image: number;
}

export const bounds: Bounds = { string: 64 << 10, body: 512 << 10, events: 2_000, image: 256 << 10 };

/** Fields of a form that are listed. */
export const maxFields = 1_000;
/** Bytes that are not UTF-8 and are told one by one. */
export const maxBroken = 1_000;
/** Bytes of what is neither text nor image that are shown. */
export const maxHex = 256;
