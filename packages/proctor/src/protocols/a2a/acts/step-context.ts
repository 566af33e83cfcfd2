// What the steps of one test share: the agent, the way to it, the test's variables, and the address at which its notifications arrive.
import type { Clock } from "../../../core/ports/clock.ts";
import type { Endpoint } from "../conform/endpoint.ts";
import type { Trial } from "../conform/trial.ts";
import type { Scope } from "./variables.ts";

export interface StepContext {
  trial: Trial;
  endpoint: Endpoint;
  scope: Scope;
  /** Where the agent sends notifications of this test; absent where it cannot reach us. */
  webhookUrl?: string;
  clock: Clock;
}
