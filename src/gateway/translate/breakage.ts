/** The ways in which a fact is broken. */

export type Breakage = "drop" | "change" | "invent";

/** How a fact is broken in each way in which it can be. */
export type Ways<Facts> = Partial<Record<Breakage, (facts: Facts) => Facts>>;

/** All ways in which facts are broken. */
export const breakages: readonly Breakage[] = ["drop", "change", "invent"];
