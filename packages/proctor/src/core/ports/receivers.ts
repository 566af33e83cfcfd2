// Who is told by HTTP what happens to a run, beside the receiver that its own options name: any number of them, asked for and taken back while
// it works, each in the form of a protocol.
import type { JsonObject } from "../json.ts";

export interface Receiver {
  /** The run that was asked about. Attempts that take over by its retry policy are told of too. */
  run_id: string;
  /** Unique among the receivers of the run. */
  id: string;
  url: string;
  /** The id of the protocol in whose form it is told. */
  protocol: string;
  /** What the protocol needs to know; kept encrypted. */
  config: JsonObject;
}

export interface NewReceiver extends Receiver {
  /** The last sequence of the log that it does not need to be told of; -1 for all that happened. */
  after: number;
}

export interface Receivers {
  /** Kept, across restarts too, when it resolves. One with the same id is replaced. Throws INVALID_REQUEST for the url, or LIMIT_REACHED. */
  add(receiver: NewReceiver): Promise<void>;
  /** The receivers of a run, oldest first; those of an ended run are forgotten after a day. */
  list(runId: string): Promise<Receiver[]>;
  /** Nothing more is sent to it; a no-op where there is none. */
  remove(runId: string, id: string): Promise<void>;
}

/** How many receivers a run may have. */
export const MAX_RECEIVERS = 20;
