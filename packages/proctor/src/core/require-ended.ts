// A run is judged by what it left behind, so not before it has ended.
import { ProctorError } from "./errors.ts";
import { isTerminal, type Run } from "./run.ts";

/** Returns the same run, which has ended; throws where it has not. */
export function requireEnded(run: Run): Run {
  const { id, status } = run;
  if (isTerminal(status)) return run;
  throw new ProctorError("ILLEGAL_TRANSITION", `run ${id} is ${status}: it can be judged when it has ended`);
}
