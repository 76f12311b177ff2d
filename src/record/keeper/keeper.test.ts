/** Holds the recorder's other half on its own: what it keeps when its input is broken. */
import { expect, test } from "vitest";
import { openSource } from "../../cassette/read.ts";
import { keeper, tell } from "./keeper.test-kit.ts";

async function bodiesOf(path: string): Promise<string[]> {
  const bodies: string[] = [];
  for await (const { exchange } of await openSource(path))
    bodies.push(`${Buffer.from(exchange.response!.body)} ${exchange.aborted ?? "whole"}`);
  return bodies;
}

test.each([
  ["bytes that are none", Buffer.alloc(100, 0x41)],
  ["a frame of four gigabytes", Buffer.from("03010000000000000000ffffffff", "hex")],
  ["an end that is no JSON", Buffer.from(`${"0402000000"}${"00000000"}${"03000000"}7b7b7b`, "hex")],
])("%s among frames end it with one clear line, after what came is kept", async (name, bytes) => {
  const { child, observer, out, ended } = await keeper(name);
  tell(observer, 1, "one");
  observer.close(1, { time: 2 });
  tell(observer, 2, "two");
  observer.flush?.();
  child.stdin.write(bytes);
  const { messages, complaints } = await ended();
  expect(complaints).toBe("");
  expect(messages.at(-1)).toMatchObject({ failure: { message: expect.stringMatching(/cannot be read.*has ended$/) } });
  expect(await bodiesOf(out)).toEqual(["one whole", "two client"]);
});
