// Faults of the connection: it is cut after what was written, says nothing more, or is left as if this machine had died.
import type { Clock } from "../../../core/ports/clock.ts";
import { whenAborted } from "../../../core/when-aborted.ts";
import type { Outgoing } from "../../../runtime/http/listen.ts";
import { pause } from "../../../runtime/time/pause.ts";
import type { FrameStep } from "./frame-faults.ts";

interface SocketOptions {
  outgoing: Outgoing | undefined;
  clock: Clock;
  /** Aborted when the client leaves. */
  client: AbortSignal;
  /** Aborted when the agent stops. */
  stopping: AbortSignal;
}

/** Yields the bytes of an answer. Where a fault cuts or abandons the connection, it ends when the client or the agent is gone. */
export async function* performSteps(
  steps: AsyncIterable<FrameStep>,
  { outgoing, clock, client, stopping }: SocketOptions,
): AsyncGenerator<Uint8Array> {
  const either = AbortSignal.any([client, stopping]);
  for await (const step of steps) {
    switch (step.kind) {
      case "send":
        yield Buffer.from(step.text);
        break;
      case "wait":
        await pause(clock, step.ms, either).catch(() => undefined);
        break;
      case "cut":
        // The written bytes arrive, and the proper end of the body does not.
        if (outgoing?.socket?.destroySoon === undefined) outgoing?.destroy();
        else outgoing.socket.destroySoon();
        return await gone(either, outgoing);
      case "stall":
        return await gone(either, outgoing);
      case "half-open":
        outgoing?.socket?.pause?.();
        // Only the agent's stop ends this: a machine that is down would not notice that the client has left.
        return await gone(stopping, outgoing);
    }
  }
}

async function gone(signal: AbortSignal, outgoing: Outgoing | undefined): Promise<void> {
  await whenAborted(signal);
  outgoing?.destroy();
}
