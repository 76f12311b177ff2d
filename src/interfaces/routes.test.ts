import { expect, test } from "vitest";
import { routeOf } from "../check/route.ts";
import { interfaces } from "./index.ts";

const operationOf = (path: string): string | undefined => routeOf(interfaces, "POST", path)?.operation.name;
const generate = "POST /v1beta/models/{model}:generateContent";

test.each([
  ["/v1beta/models/m:generateContent", generate],
  ["/a/gateway/v1beta/models/m%3AgenerateContent?key=k", generate],
  ["/v1beta/models/a/b/c:generateContent", generate],
  ["/v1beta/tunedModels/t:generateContent", generate],
  ["/models:generateContent", generate],
  ["/m:generateContent", generate],
  [":generateContent", undefined],
  ["/v1beta/models/m:generateContents", undefined],
  ["/v1beta/models/m:streamGenerateContent?alt=sse", "POST /v1beta/models/{model}:streamGenerateContent"],
  ["/v1/threads/t/messages", undefined],
  ["/v1/messages", "POST /v1/messages"],
])("%s is told apart", (path, operation) => expect(operationOf(path)).toBe(operation));

test("a path that repeats what routes look for is told in time linear in its length", () => {
  const often = 300_000;
  expect(operationOf(`${"/models/".repeat(often)}x`)).toBeUndefined();
  expect(operationOf(`${"/models/:generateContent".repeat(often)}x`)).toBeUndefined();
  expect(operationOf(`/models${"/:".repeat(often)}generateContent`)).toBe(generate);
  expect(operationOf(`/${"threads".repeat(often)}/messages`)).toBe("POST /v1/messages");
  expect(operationOf(`${"/chat/completions".repeat(often)}!`)).toBeUndefined();
});
