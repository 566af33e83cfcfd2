// How a double or a bridge refuses a request that it may not answer.
import { ProctorError } from "../../core/errors.ts";

/** Returns the answer to a request for which the check throws; undefined where the request may be answered. */
export function refusal(check: () => void): Response | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!ProctorError.is(error)) throw error;
    return Response.json({ error: error.message }, { status: error.status });
  }
}
