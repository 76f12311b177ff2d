/**
 * Makes the disk fail below a cassette writer: `FileHandle` of `node:fs/promises` follows a plan that may change at any time.
 * To use it in another process, preload this file with `--import` and name the plan's file in TOUCHSTONE_FAULTY_DISK.
 */
import { fstatSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/**
 * `none`; an error code, for writes; `short`: each write takes half of its bytes; `fsync`: forcing fails with EIO;
 * `clock`: the clock jumps by up to a day; `kill N SHARE`: the process kills itself at its Nth write, after this share of the bytes.
 */
export type DiskPlan = string;

const errors: Readonly<Record<string, string>> = {
  ENOSPC: "no space left on device",
  EIO: "i/o error",
  EROFS: "read-only file system",
};

const errorOf = (code: string): Error => Object.assign(new Error(`${code}: ${errors[code]}, write`), { code });

/** Lets all file handles of this process follow a plan. Returns a function that ends it. */
export async function installFaults(plan: () => DiskPlan, done: () => void = () => {}): Promise<() => void> {
  const handle = await open(new URL(import.meta.url));
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const { write, datasync } = prototype;
  let writes = 0;

  async function faultyWrite(this: FileHandle, bytes: Buffer, offset: number, length: number, position: number | null) {
    writes++;
    const [word = "none", at, share] = plan().split(" ");
    if (errors[word] !== undefined) throw errorOf(word);
    if (word === "kill" && writes >= Number(at) && fstatSync(this.fd).isFile()) {
      done();
      writeSync(this.fd, bytes, offset, Math.floor(length * Number(share)), position);
      process.kill(process.pid, "SIGKILL");
    }
    const some = word === "short" ? Math.ceil(length / 2) : length;
    return Reflect.apply(write, this, [bytes, offset, some, position]);
  }
  prototype.write = faultyWrite as unknown as FileHandle["write"];
  prototype.datasync = async function (this: FileHandle) {
    if (plan() === "fsync") throw errorOf("EIO");
    return Reflect.apply(datasync, this, []);
  };
  return () => {
    prototype.write = write;
    prototype.datasync = datasync;
  };
}

/** Lets the clock jump back and forth while the plan says so. */
function installClock(plan: () => DiskPlan): void {
  const { now } = Date;
  const day = 86_400_000;
  let jump = 0;
  setInterval(() => (jump = plan() === "clock" ? Math.round((Math.random() - 0.5) * 2 * day) : 0), 50).unref();
  Date.now = () => now() + jump;
}

const file = process.env["TOUCHSTONE_FAULTY_DISK"];
if (file) {
  const plan = (): DiskPlan => readFileSync(file, "utf8");
  installClock(plan);
  if (/\b(keeper\.js|cli\.js)$/.test(process.argv[1] ?? ""))
    await installFaults(plan, () => writeFileSync(file, "none"));
}
