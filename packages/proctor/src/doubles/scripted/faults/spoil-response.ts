// Puts the faults of an exchange into the server's response.
import type { Clock } from "../../../core/ports/clock.ts";
import { bodyStream } from "../../../runtime/http/body-stream.ts";
import type { Outgoing } from "../../../runtime/http/listen.ts";
import type { Exchange } from "../exchange.ts";
import { mistypedHeaders, refusedBy, slowDown } from "./answer-faults.ts";
import { spoilFrames } from "./frame-faults.ts";
import { readFrames } from "./frames.ts";
import { performSteps } from "./socket-faults.ts";

interface SpoilOptions {
  outgoing: Outgoing | undefined;
  clock: Clock;
  /** Aborted when the client leaves. */
  client: AbortSignal;
  /** Aborted when the agent stops. */
  stopping: AbortSignal;
}

const NO_FAULTS = { faults: [], random: () => 0 };

export async function spoilResponse(
  response: Response,
  { faults = NO_FAULTS, raw }: Exchange,
  options: SpoilOptions,
): Promise<Response> {
  await slowDown(faults.faults, options.clock, AbortSignal.any([options.client, options.stopping]));
  const refused = refusedBy(faults.faults);
  if (refused !== undefined) {
    await response.body?.cancel();
    return refused;
  }
  const steps = spoilFrames(readFrames(response), faults, raw);
  const body = bodyStream(performSteps(steps, options), {
    onFailure() {
      options.outgoing?.destroy();
      return options.outgoing !== undefined;
    },
  });
  const headers = mistypedHeaders(response.headers, faults.faults);
  // The faults change the length.
  headers.delete("content-length");
  return new Response(body, { status: response.status, headers });
}
