/** Requests find the same operation among candidates as among all operations, whatever the paths of a document look like. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Interface } from "../check/interface.ts";
import { routeOf } from "../check/route.ts";
import { candidatesOf, finderOf } from "./paths.ts";

const step = fc.constantFrom("a", "b", "{x}", "{y}", "a{x}", "{x}:run", "v1", "", "a.b", "*");
const path = fc.array(step, { maxLength: 4 }).map((steps) => `/${steps.join("/")}`);
const sent = fc.array(fc.constantFrom("a", "b", "c", "ab", "c:run", "v1", "", "a.b", "*", "%7B"), { maxLength: 6 });

test("a request finds its operation among candidates as among all", () => {
  fc.assert(
    fc.property(
      fc.array(path, { minLength: 1, maxLength: 12 }),
      fc.array(sent, { minLength: 20, maxLength: 20 }),
      (paths, targets) => {
        const all: Interface = {
          name: "things",
          document: "things",
          operations: paths.map((one, i) => ({
            name: `${i}`,
            method: i % 2 === 0 ? "POST" : "GET",
            at: finderOf(one, paths, ""),
            schemas: {},
          })),
          streams: () => false,
          rules: [],
          refusalBody: () => ({}),
        };
        const some = { ...all, operationsAt: candidatesOf(paths) };
        for (const steps of targets)
          for (const method of ["POST", "PUT"]) {
            const target = `/${steps.join("/")}`;
            const found = routeOf([some], method, target)?.operation.name;
            expect([target, found]).toEqual([target, routeOf([all], method, target)?.operation.name]);
          }
      },
    ),
  );
});
