// What was seen of a client that was examined: the requests that reached the agent and the place where none should go, and how the client ended.
import type { EnvironmentResult } from "../../core/ports/environments.ts";
import { errorLine } from "../../conformance/finding.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { CapturedRequest } from "../scripted/captured-requests.ts";

export interface Seen {
  /** Requests to the agent, oldest first. */
  requests: readonly CapturedRequest[];
  /** Requests to another origin, which only the card names, oldest first. */
  elsewhere: readonly CapturedRequest[];
  ended: Pick<EnvironmentResult, "code" | "stdout" | "stderr" | "timedOut">;
}

/** Returns the requests for anything but the card. */
export function operations(requests: readonly CapturedRequest[]): CapturedRequest[] {
  return requests.filter(({ method, path }) => method !== "OPTIONS" && !isCardPath(path));
}

function isCardPath(path: string): boolean {
  return /\/\.well-known\/agent(?:-card)?\.json$/.test(path);
}

/** Returns the requests that send a message to the agent. */
export function messagesTo(requests: readonly CapturedRequest[]): CapturedRequest[] {
  return operations(requests).filter(
    ({ operation, body }) => isSend(operation) || messageIn(body) !== undefined,
  );
}

function isSend(operation: string | undefined): boolean {
  return operation === "send" || operation === "stream";
}

export function streams(requests: readonly CapturedRequest[]): CapturedRequest[] {
  return requests.filter(({ operation }) => operation === "stream");
}

/** Returns the message of a request over JSON-RPC or HTTP+JSON. */
export function messageIn(body: Json): JsonObject | undefined {
  if (!isJsonObject(body)) return undefined;
  const params = isJsonObject(body["params"]) ? body["params"] : body;
  return isJsonObject(params["message"]) ? params["message"] : undefined;
}

/** Returns how the client ended, in words that fit behind "the client". */
export function endOf({ ended: { code, timedOut, stderr } }: Seen): string {
  if (timedOut) return "was still running at the time limit";
  const words = errorLine(stderr.split("\n").filter((line) => line.trim() !== ""));
  return words === undefined ? `ended with ${code}` : `ended with ${code}: ${words}`;
}

/** Whether the client gave up, and said so by its exit code. */
export function gaveUp({ ended: { code, timedOut } }: Seen): boolean {
  return !timedOut && code !== 0;
}
