// Which faults a request meets: each counts the requests of its endpoint by itself.
import type { OAuthEndpoint, OAuthFault } from "../../../core/oauth-script.ts";
import { createTurns, type Turns } from "../take-turns.ts";

export type FaultPlan = Turns<OAuthFault, OAuthEndpoint | "none">;

export function createFaultPlan(faults: readonly OAuthFault[]): FaultPlan {
  return createTurns(faults, ({ at }, endpoint: OAuthEndpoint | "none") => at === endpoint);
}

/** Returns the names of a fault's effects for the log: `status 503`, `slow`, `expired`. */
export function faultNames({ delay_ms: delay, cut, status, malformed, token }: OAuthFault): string[] {
  return [
    ...(delay === undefined ? [] : ["slow"]),
    ...(cut === true ? ["cut"] : []),
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(malformed === true ? ["malformed"] : []),
    ...(token === undefined ? [] : [token]),
  ];
}
