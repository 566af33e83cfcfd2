// One request over HTTP on its way: what was captured of it, and what is to go wrong with its answer. The app (scripted-app.ts) opens it,
// the agent finds it by the trace id of the call, the faults read it.
import type { JsonObject } from "../../core/json.ts";
import type { Capture } from "./captured-requests.ts";
import type { ChosenFaults } from "./faults/choose-faults.ts";

export interface Exchange {
  readonly capture: Capture;
  faults?: ChosenFaults;
  /** Results to send unchanged, by the number of their frame from 0. Absent where there cannot be any. */
  raw?: Map<number, JsonObject>;
}

/** Requests under way, by trace id. */
export type Exchanges = Map<string, Exchange>;
