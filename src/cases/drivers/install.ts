/** Finds the packages of a client: those of the user's project, or a version that is installed into a temporary folder. */
import { didYouMean } from "../../check/suggest.ts";
import { installPackages } from "../../run/clients/install.ts";
import { UserError } from "../../user-error.ts";
import type { Driver } from "./driver.ts";
import { drivers } from "./list.ts";

export interface FoundClient {
  readonly driver: Driver;
  /** The folder whose packages are used. */
  readonly folder: string;
  remove(): void;
}

/**
 * @param named `NAME`, from the packages of this folder, or `NAME@VERSION`
 * @throws UserError for a name that nobody knows, and where it cannot be installed
 */
export async function findClient(named: string, here = process.cwd()): Promise<FoundClient> {
  const [, name = named, version] = /^(@?[^@]+)@(.+)$/.exec(named) ?? [];
  const driver = drivers.find((one) => one.name === name);
  if (!driver) {
    const names = drivers.map((one) => one.name);
    throw new UserError(
      `there is no client ${name}`,
      `${didYouMean(name, names)}The clients are ${names.join(", ")}; put your own program after --.`,
    );
  }
  if (version === undefined || driver.packages.length === 0) return { driver, folder: here, remove: () => undefined };
  const [main, ...others] = driver.packages;
  return { driver, ...(await installPackages(`${main}@${version}`, others)) };
}
