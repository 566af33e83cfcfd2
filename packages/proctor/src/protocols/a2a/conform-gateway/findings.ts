// The findings that many rules for gateways share.
import type { Json } from "../../../core/json.ts";
import type { Attempt } from "../conform/caller.ts";
import { demand } from "../conform/finding.ts";
import type { SendRequest } from "../model.ts";
import { missingFrom } from "./missing-from.ts";
import type { Asked, Scene } from "./scene.ts";

type Arrived = Asked & { request: SendRequest };

/** Returns the message as the upstream got it, whichever operation the gateway used. */
export function arrivedAt({ asked }: Scene, index = 0): Arrived | undefined {
  const messages = asked.filter(({ operation }) => operation === "send" || operation === "stream");
  // Both operations have this request.
  return messages[index] as Arrived | undefined;
}

/** Returns the answer that should have come. */
export function answerOf<T>(
  { value, error, timedOut, transcript }: Omit<Attempt<T>, "value"> & { value?: T | undefined },
  what: string,
): T {
  demand(!timedOut, `${what} was not answered within the time limit`, transcript);
  const got = error?.message ?? "nothing";
  demand(value !== undefined, `${what} was answered with an error`, transcript, { got });
  return value;
}

/** Returns what should have reached the upstream. */
export function arrival<T>(arrived: T | undefined, { transcript }: Attempt<unknown>, what: string): T {
  demand(arrived !== undefined, `${what} did not reach the upstream`, transcript);
  return arrived;
}

/** Returns the message as the upstream got it; `what` names the message in the finding when it was refused. */
export function messageAt(
  scene: Scene,
  attempt: Attempt<unknown>,
  { index = 0, what = "the message" }: { index?: number; what?: string } = {},
): Arrived {
  const arrived = arrivedAt(scene, index);
  if (arrived === undefined && attempt.error) answerOf(attempt, what);
  return arrival(arrived, attempt, "the message");
}

/** Demands that everything that was said arrives at the other end. */
export function demandSame(
  heard: Json | undefined,
  said: Json,
  place: string,
  { transcript }: Pick<Attempt<unknown>, "transcript">,
): void {
  const lost = missingFrom(heard, said, place);
  demand(lost === undefined, `${lost?.path} is not what was sent`, transcript, lost);
}
