/** A case: one way a server may answer, as data. */
import type { Answer } from "./answer.ts";
import type { AskingWay } from "./client-under-test.ts";
import type { CaseKind, CaseOutcome } from "./document.ts";
import type { Good } from "./good.ts";
import type { InterfaceName } from "./interface-names.ts";

/** How a client is to read a case. */
export type Due =
  /** It hands back the whole answer, and raises no error. */
  | "answer"
  /** It raises an error, or asks again and hands back the whole answer that it then gets. */
  | "error"
  /** Either of them: it is up to the client. */
  | "either"
  /** There is nothing to hand back, or it is up to the client: it only has to come to an end. */
  | "end";

/** When a client may ask again. */
export interface AskAgain {
  /** Asking again cannot help. */
  readonly never?: true;
  /** Milliseconds that the answer told it to wait. */
  readonly after?: number;
}

export interface Case {
  /** `<group>/<name>`; the group is `stream`, `transfer`, `failure`, `cut`, ..., or an interface. */
  readonly id: string;
  readonly interfaces: readonly InterfaceName[];
  readonly kind: CaseKind;
  /** One sentence: how the server answers. */
  readonly says: string;
  /** The reason why it is legal, odd or a fault. */
  readonly restsOn: readonly string[];
  /** It is legal by a neutral document alone, and no service is known to answer so: failing it warns. */
  readonly isNeutral?: true;
  /** The form of reply that it is about; both unless said. */
  readonly form?: "stream" | "whole";
  /** The needs of a case beside the form: offered tools, or what a text names. */
  readonly needs?: "tools" | ((good: Good) => string | undefined);
  /** Whether a client that can should offer tools; those that `needs` names, unless said. */
  readonly offersTools?: true;
  /** Things a client should ask for beside that, if it can. */
  readonly wants?: AskingWay["wants"];
  readonly due: Due;
  readonly again?: AskAgain;
  /** The outcomes of a fault that a clause, an RFC or plain safety forbids; all others warn. */
  readonly fails?: readonly CaseOutcome[];
  /** It ends only with the time of the client: what it does until then shows nothing, unless its limit is known. */
  readonly endsWithLimit?: true;
  /** Words of the text are cut between events, so that a client which prints each piece apart shows nothing. */
  readonly cutsWords?: true;
  readonly answer: (good: Good) => Answer;
}
