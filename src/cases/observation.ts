/** The observation of a client while one case answered it: the evidence that judging reads, as plain JSON, redacted. */

/** Exchanges that are kept of one case: what asks more often asks without bound. */
export const maxExchanges = 100;

/** One request and how its answer went, beside the exchange itself. */
export interface SeenExchange {
  /** 0-based position among the exchanges of the case; the exchange has it in the evidence, too. */
  readonly exchange: number;
  /** Milliseconds from the start of the case to the last byte of the request. */
  readonly at: number;
  /** Milliseconds from the start of the case to the end of the answer, or to the moment the client closed the connection. */
  readonly until: number;
  /** The connection that carried it, counted from 0. */
  readonly connection: number;
  /** `other`: it came to the second origin, to which only a redirect leads. */
  readonly origin: "own" | "other";
  /** Whether a credential came with it. */
  readonly hasKey: boolean;
  /** The client closed the connection before the answer had ended. */
  readonly left: boolean;
}

/** One connection that the client opened. */
export interface SeenConnection {
  readonly connection: number;
  /** Milliseconds from the start of the case. */
  readonly opened: number;
  /** Milliseconds from the start of the case; null where it was open when the case ended. */
  readonly closed: number | null;
  readonly closedBy: "client" | "server" | null;
}

/** A call as the client handed it back: its arguments as JSON text. */
export interface HandedCall {
  readonly name: string;
  readonly arguments: string;
  /** The client says of the call that its arguments cannot be read. */
  readonly isBroken?: true;
}

/** The client's result. A member is absent where that cannot be known of this client. */
export interface Handed {
  /** The text of the answer, exactly; only clients that are driven from inside can say it. */
  readonly text?: string | undefined;
  readonly calls?: readonly HandedCall[] | undefined;
  /** Why the answer ended, in the client's own word. */
  readonly finish?: string | undefined;
  /** The output of a program, bounded. */
  readonly output?: string | undefined;
  readonly errors?: string | undefined;
  /** The program printed more than is read. */
  readonly isCut?: true;
  /** The error that was raised; null where none was, absent where that cannot be known. */
  readonly error?: { readonly name: string; readonly message: string; readonly status?: number | undefined } | null;
  /**
   * How it ended. `returned`: the call came back; `threw`: it raised an error; `exited`: the program ended by itself;
   * `unhandled`: an error that nobody could catch ended the process; `killed`: it had not ended within its time;
   * `unseen`: the program goes on, and says nothing of the case.
   */
  readonly end: "returned" | "threw" | "exited" | "unhandled" | "killed" | "unseen";
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  /** Milliseconds from the start of the case. */
  readonly after: number;
  /** The most memory that the process held, in bytes, as sampled. */
  readonly memory?: number | undefined;
}

/** All that was seen of one case. */
export interface CaseObservation {
  readonly case: string;
  readonly interface: string;
  /** The words of its answers are made from it. */
  readonly seed: string;
  readonly exchanges: readonly SeenExchange[];
  readonly connections: readonly SeenConnection[];
  readonly handed: Handed;
}
