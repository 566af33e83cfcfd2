// The findings that many rules for gateways share.
import type { Json } from "../../../core/json.ts";
import type { Attempt } from "../conform/caller.ts";
import { broken, KEPT, type A2aFinding } from "../conform/finding.ts";
import type { SendRequest } from "../model.ts";
import { missingFrom } from "./missing-from.ts";
import type { Asked, Scene } from "./scene.ts";

/** The message as the upstream got it, however the gateway asked. */
export function arrivedAt({ asked }: Scene, index = 0): (Asked & { request: SendRequest }) | undefined {
  const messages = asked.filter(({ operation }) => operation === "send" || operation === "stream");
  // Both operations have this request.
  return messages[index] as (Asked & { request: SendRequest }) | undefined;
}

/** For an answer that should have come, and an error came instead. */
export function refused({ error, timedOut, transcript }: Attempt<unknown>, what: string): A2aFinding {
  if (timedOut) return broken(`${what} was not answered within the time limit`, transcript);
  return broken(`${what} was answered with an error`, transcript, { got: error?.message ?? "nothing" });
}

export function neverArrived({ transcript }: Attempt<unknown>, what: string): A2aFinding {
  return broken(`${what} did not reach the upstream`, transcript);
}

/** Passes where everything that was said was heard at the other end. */
export function same(
  heard: Json | undefined,
  said: Json,
  place: string,
  { transcript }: Pick<Attempt<unknown>, "transcript">,
): A2aFinding {
  const lost = missingFrom(heard, said, place);
  if (lost === undefined) return KEPT;
  const { path, expected, got } = lost;
  return broken(`${path} is not what was sent`, transcript, { expected, got });
}
