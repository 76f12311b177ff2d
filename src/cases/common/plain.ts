/** The plain good answer: a client that does not read it can be told nothing else. */
import type { Case } from "../case.ts";
import { everyInterface } from "../interface-names.ts";

export const plain: Case = {
  id: "plain",
  interfaces: everyInterface,
  kind: "legal",
  says: "The server answers as the reference implementation does.",
  restsOn: ["the documents"],
  due: "answer",
  answer: (good) => good.answer(),
};
