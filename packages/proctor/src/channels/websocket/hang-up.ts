// Ends a client's socket from this side: when the hub stops, when something fails here, or when its server has had enough of it.
import type { MessageSocket } from "../../core/ports/message-socket.ts";

export interface HangUp {
  /** Closes the socket, for a reason that is sent to the client. */
  hangUp(code: number, reason: string): void;
  /** Closes the socket because of a failure on this side. The first one is what `throwFailure` throws. */
  fail(cause: unknown): void;
  /** True when this side has closed the socket. */
  readonly over: boolean;
  /** True when something failed on this side. */
  readonly failed: boolean;
  /** Releases the signal. To be called when the socket is no longer served. */
  release(): void;
  /** Throws what failed on this side, if anything did. */
  throwFailure(): void;
}

/** Hangs up by itself as soon as the hub stops, even if it did so before. */
export function createHangUp(socket: Pick<MessageSocket, "close">, stopping: AbortSignal): HangUp {
  let over = false;
  let trouble: { cause: unknown } | undefined;

  function hangUp(code: number, reason: string): void {
    over = true;
    socket.close(code, reason);
  }

  const stop = (): void => hangUp(1001, "the hub is stopping");

  stopping.addEventListener("abort", stop);
  if (stopping.aborted) stop();
  return {
    hangUp,
    fail(cause) {
      trouble ??= { cause };
      hangUp(1011, "an internal error");
    },
    get over() {
      return over;
    },
    get failed() {
      return trouble !== undefined;
    },
    release: () => stopping.removeEventListener("abort", stop),
    throwFailure() {
      if (trouble !== undefined) throw trouble.cause;
    },
  };
}
