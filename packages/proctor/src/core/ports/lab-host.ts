// Serves the labs of runs; each run has its own.
import type { LabSet } from "../labs.ts";
import type { ObservedCall } from "../tools.ts";

export interface LabHost {
  open(session: LabSession): Promise<OpenLabs>;
}

export interface LabSession {
  labs: LabSet;
  /** Called with every request to a lab before it is answered; the answer waits. */
  onCall: (call: ObservedCall) => Promise<void>;
}

export interface OpenLabs {
  /** The variables by which the agent finds the labs. */
  env: Readonly<Record<string, string>>;
  /** The ports that the agent has to reach. */
  ports: readonly number[];
  /** Closes the labs, and cuts requests in flight. */
  close(): Promise<void>;
}
