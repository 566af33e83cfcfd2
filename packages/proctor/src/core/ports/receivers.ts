// Receivers of what happens to a run, over HTTP, in addition to the one that its own options name: any number, added and removed while
// it works, each in the form of a protocol.
import type { JsonObject } from "../json.ts";

export interface Receiver {
  /** Id of the run to report. Runs that take over by its retry policy are reported too. */
  run_id: string;
  /** Id of the receiver, unique among the receivers of the run. */
  id: string;
  url: string;
  /** Id of the protocol in whose form the events are sent. */
  protocol: string;
  /** What the protocol needs to know; kept encrypted. */
  config: JsonObject;
}

export interface NewReceiver extends Receiver {
  /** Last sequence of the log that is not sent to the receiver; -1 sends everything. */
  after: number;
}

export interface Receivers {
  /** Adds a receiver, or replaces the one of the same id; it survives restarts. Throws INVALID_REQUEST for the url, or LIMIT_REACHED. */
  add(receiver: NewReceiver): Promise<void>;
  /** Lists the receivers of a run, oldest first; those of an ended run are forgotten after a day. */
  list(runId: string): Promise<Receiver[]>;
  /** Removes a receiver, so that nothing more is sent to it; a no-op where there is none. */
  remove(runId: string, id: string): Promise<void>;
}

/** Most receivers of one run. */
export const MAX_RECEIVERS = 20;
