// Calls of a client of A2A in tests: what it is asked with, and how what it says is read.
import type { ServerResponse } from "node:http";
import { createHttpClient } from "../../../src/channels/http/client.ts";
import type { WireProblem } from "../../../src/protocols/a2a/codec.ts";
import { createA2aClient } from "../../../src/protocols/a2a/client/create-a2a-client.ts";
import { TransportFailure } from "../../../src/protocols/a2a/client/transport-failure.ts";
import { A2aError } from "../../../src/protocols/a2a/errors.ts";
import type { AgentInterface, StreamResponse } from "../../../src/protocols/a2a/model.ts";
import type { A2aCall, A2aService } from "../../../src/protocols/a2a/service.ts";

export const http = createHttpClient();

export const call: A2aCall = {
  version: "1.0",
  binding: "JSONRPC",
  headers: {},
  extensions: [],
  origin: "",
  basePath: "",
  traceId: "0123456789abcdef0123456789abcdef",
  signal: new AbortController().signal,
};

export function clientOf(
  url: string,
  more: Partial<AgentInterface> = {},
  onProblem?: (problem: WireProblem) => void,
): A2aService {
  return createA2aClient({
    interface: { url, protocolBinding: "JSONRPC", protocolVersion: "1.0", ...more },
    http,
    ...(onProblem && { onProblem }),
  });
}

/** The error that a promise rejects with. */
export async function errorOf(promise: Promise<unknown>): Promise<A2aError> {
  const error: unknown = await promise.then(
    () => new Error("it was accepted"),
    (why: unknown) => why,
  );
  if (error instanceof A2aError) return error;
  throw error;
}

export function failureCode({ cause }: A2aError): string | undefined {
  return cause instanceof TransportFailure ? cause.failure.code : undefined;
}

export function json(response: ServerResponse, body: unknown, status = 200, type = "application/json"): void {
  response.writeHead(status, { "content-type": type });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** Everything that comes of a message. */
export async function eventsOf(client: A2aService): Promise<StreamResponse[]> {
  const events: StreamResponse[] = [];
  const message = { messageId: "m", role: "ROLE_USER" as const, parts: [{ text: "x" }] };
  for await (const { event } of await client.stream({ message }, call)) events.push(event);
  return events;
}
