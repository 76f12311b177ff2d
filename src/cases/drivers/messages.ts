/** The messages between a driver's process and the process that started it. */
import type { Handed } from "../observation.ts";
import type { Question } from "./driver.ts";

/** The settings of the process, as JSON in its first argument. */
export interface DriverSettings {
  readonly driver: string;
  /** The folder whose packages are used. */
  readonly folder: string;
}

export type ToDriver = { readonly ask: Omit<Question, "signal" | "deadline"> } | "abort";

export type FromDriver =
  | { readonly ready: { readonly version: string } }
  /** Why the packages cannot be loaded. */
  | { readonly problem: string }
  | { readonly handed: Omit<Handed, "after"> };
