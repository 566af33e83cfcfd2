// Requests that outlive the API server which they were sent to: what may be repeated is sent again until a hub answers, for behind a balancer
// another one does. A hub that never answered is reported at once.
import { setTimeout as delay } from "node:timers/promises";
import { ProctorError, type ErrorCode } from "../core/errors.ts";
import type { HttpClient, HttpRequest } from "./http-client.ts";

/** Milliseconds for which a request is repeated while no hub answers. */
export const GIVE_UP_AFTER_MS = 30_000;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 2000;

/** Errors of a hub that dies, restarts or has lost its database for a moment. */
const PASSING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "HUB_UNREACHABLE",
  "SHUTTING_DOWN",
  "STORE_UNAVAILABLE",
]);

export function createLastingClient(client: HttpClient, giveUpAfterMs = GIVE_UP_AFTER_MS): HttpClient {
  let hasAnswered = false;

  async function last<T>(request: HttpRequest, send: () => Promise<T>): Promise<T> {
    let since: number | undefined;
    for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, LONGEST_DELAY_MS)) {
      try {
        const answer = await send();
        hasAnswered = true;
        return answer;
      } catch (error) {
        if (!ProctorError.is(error) || !PASSING.has(error.code) || !hasAnswered || !isRepeatable(request))
          throw error;
        since ??= Date.now();
        if (Date.now() - since > giveUpAfterMs) throw error;
      }
      await delay(delayMs, undefined, request.signal ? { signal: request.signal } : {});
    }
  }

  return {
    send: (path, request = {}) => last(request, () => client.send(path, request)),
    sendJson: (path, request = {}) => last(request, () => client.sendJson(path, request)),
  };
}

/** Returns whether a request can be repeated: bytes that were streamed once are gone. */
function isRepeatable({ method = "GET", headers = {}, content, repeatable = false }: HttpRequest): boolean {
  if (content !== undefined) return false;
  return method === "GET" || repeatable || "idempotency-key" in headers;
}
