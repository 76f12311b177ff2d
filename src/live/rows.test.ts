/** A row of the live page names the worst violation first, in the words of its clause. */

import { expect, test } from "vitest";
import type { GroupCount } from "../check/groups.ts";
import type { ListedExchange } from "../verdict/judged-exchange.ts";
import { rowOf } from "./rows.ts";

const group = (clause: string, level: GroupCount["level"]): GroupCount => ({
  ...{ clause, level, side: "response", in: "body", pointer: "", count: 1, exchanges: 1 },
});
const exchange = (groups: readonly GroupCount[]): ListedExchange =>
  ({
    exchange: 3,
    operation: "POST /v1/messages",
    known: true,
    asked: "POST /v1/messages",
    status: 200,
    groups,
  }) as never;
const names = {
  ofOperation: new Map([["POST /v1/messages", "messages"]]),
  sentences: new Map([["messages.response.id-type", "The id of a message is a string."]]),
};

test("the worst clause comes first, with its sentence", () => {
  const groups = [group("messages.response.media-type", "warning"), group("messages.response.id-type", "error")];
  expect(rowOf(exchange(groups), names)).toMatchObject({
    interface: "messages",
    clauses: ["messages.response.id-type", "messages.response.media-type"],
    says: "The id of a message is a string.",
    errors: 1,
    warnings: 1,
  });
});

test("a row without a violation says nothing of clauses", () => {
  expect(rowOf(exchange([]), names)).not.toHaveProperty("says");
});
