// Faults of the answer as a whole: its status, its type, its first byte.
import type { Clock } from "../../../core/ports/clock.ts";
import { jsonResponse, type PlainHeaders } from "../../../runtime/http/respond.ts";
import { pause } from "../../../runtime/time/pause.ts";
import type { ScriptedFault } from "./fault.ts";

/** Returns the answer that replaces the agent's, where a fault refuses the request. */
export function refusedBy(faults: readonly ScriptedFault[]): Response | undefined {
  const fault = faults.find(({ kind }) => kind === "status");
  if (fault?.kind !== "status") return undefined;
  const { status, retryAfterSeconds } = fault;
  const headers: PlainHeaders = {
    ...(retryAfterSeconds !== undefined && { "retry-after": String(retryAfterSeconds) }),
    ...(status === 401 && { "www-authenticate": 'Bearer realm="proctor"' }),
  };
  return jsonResponse({ error: `the script answers with the status ${status}` }, status, headers);
}

/** Resolves when the first byte may go out; early when the client has left. */
export async function slowDown(
  faults: readonly ScriptedFault[],
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  for (const fault of faults) {
    if (fault.kind === "slow") await pause(clock, fault.delayMs, signal).catch(() => undefined);
  }
}

/** Returns the headers with the content type of a fault. */
export function mistypedHeaders(headers: Headers, faults: readonly ScriptedFault[]): Headers {
  const changed = new Headers(headers);
  for (const fault of faults) {
    if (fault.kind === "type") changed.set("content-type", fault.contentType);
  }
  return changed;
}
