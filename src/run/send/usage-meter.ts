/** Adds up the usage that answers report, and tells when the budget of a run is spent. */
import { type Interface, interfaceNamed } from "../../check/interface.ts";
import { type Usage, usageOf } from "../../interfaces/usage.ts";
import { UserError } from "../../user-error.ts";
import type { SentRecord } from "../../verdict/sent-record.ts";
import { valuesIn } from "../judge/request-failure.ts";
import type { RunOptions } from "../options.ts";

/** A price in one currency: for a million tokens in, for a million out, and for an image that is counted in no tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly image?: number;
}

/** Interface name, or `*` for all others, to its price. */
export type Prices = Readonly<Record<string, Price>>;

/** The amount that was spent, as the answers count it themselves. */
export interface Spent extends Usage {
  /** Undefined without prices. */
  readonly cost?: number;
  /** Answers with success that do not say what they used, as many streams do not: they count nothing. */
  readonly uncounted: number;
}

export interface UsageMeter {
  add(records: readonly SentRecord[]): void;
  /** The bound that was reached, in words; undefined as long as none is. */
  reached(): string | undefined;
  spent(): Spent;
}

/** `--price` values over the target file's prices: `IN/OUT` or `IN/OUT/IMAGE` for all interfaces, `INTERFACE=IN/OUT` for one. */
export function pricesFrom(values: readonly string[], file: Prices | undefined, interfaces: readonly string[]): Prices {
  const prices: Record<string, Price> = { ...file };
  for (const value of values) {
    const [, name = "*", numbers = ""] = /^(?:([\w-]+|\*)=)?(.*)$/s.exec(value)!;
    const [input, output, image, ...others] = numbers.split("/").map((one) => (one === "" ? Number.NaN : Number(one)));
    const all = [input, output, ...(image === undefined ? [] : [image])];
    if (others.length > 0 || !all.every((one) => one !== undefined && one >= 0))
      throw new UserError(
        `--price ${value} is not INPUT/OUTPUT`,
        "Write what a million tokens cost in and out, and perhaps an image: --price 3/15, or --price images=5/40/0.04.",
      );
    prices[name] = { input: input!, output: output!, ...(image !== undefined && { image }) };
  }
  const stranger = Object.keys(prices).find((name) => name !== "*" && !interfaces.includes(name));
  if (stranger !== undefined)
    throw new UserError(
      `there is a price for ${stranger}, which is no interface`,
      `The interfaces are ${interfaces.join(", ")}.`,
    );
  return prices;
}

/**
 * @param interfaces those that are going to be asked; UserError where a bound on costs has no price for one
 * @param described all that there are
 */
export function createUsageMeter(
  { maxTokens, maxCost }: Pick<RunOptions, "maxTokens" | "maxCost">,
  prices: Prices,
  interfaces: readonly string[],
  described: readonly Interface[],
): UsageMeter {
  const priceOf = (name: string): Price | undefined => prices[name] ?? prices["*"];
  const unpriced = interfaces.find((name) => priceOf(name) === undefined);
  if (maxCost !== undefined && unpriced !== undefined)
    throw new UserError(
      `--max-cost needs to know what ${unpriced} costs`,
      'Give --price INPUT/OUTPUT for a million tokens each, or "prices" in the target file.',
    );
  const sum = { input: 0, output: 0, images: 0, uncounted: 0 };
  let cost = 0;
  return {
    add(records) {
      for (const { interface: of, passed } of records) {
        const { response } = passed;
        if (!response || response.status < 200 || response.status > 299) continue;
        const usage = usageOf(interfaceNamed(described, of), valuesIn(passed));
        if (!usage) {
          sum.uncounted++;
          continue;
        }
        const { input, output, images } = usage;
        sum.input += input;
        sum.output += output;
        sum.images += images;
        const price = priceOf(of);
        if (price) cost += (input * price.input + output * price.output) / 1e6 + images * (price.image ?? 0);
      }
    },
    reached: () =>
      maxTokens !== undefined && sum.input + sum.output >= maxTokens
        ? `bound on tokens, ${sum.input + sum.output} of ${maxTokens} used`
        : maxCost !== undefined && cost >= maxCost
          ? `bound on costs, ${rounded(cost)} of ${maxCost} spent`
          : undefined,
    spent: () => ({ ...sum, ...(Object.keys(prices).length > 0 && { cost }) }),
  };
}

/** An amount without what doubles add to it. */
export const rounded = (amount: number): string => String(Number(amount.toPrecision(4)));
