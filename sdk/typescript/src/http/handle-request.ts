// `POST /execute` and `POST /execute/stream`. A request that is refused is answered with a response of the protocol.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Problem } from "../protocol/check-request.ts";
import { decodeRequest, refuse, refuseStopping } from "../protocol/decode-request.ts";
import { type AtpEvent, type AtpRequest, MAX_MESSAGE_BYTES, NO_TASK_ID } from "../protocol/messages.ts";
import type { RunningTask } from "../task/run-task.ts";
import { type EventStreamLimits, openEventStream } from "./event-stream.ts";
import { ATP_JSON, chooseType, PLAIN_JSON, readContentType } from "./media-type.ts";
import { isForeignOrigin } from "./origin.ts";
import { readBody } from "./read-body.ts";

interface HttpDeps {
  start: (request: AtpRequest, send: (event: AtpEvent) => void) => RunningTask;
  isStopping: () => boolean;
  limits: EventStreamLimits;
}

const PATHS = ["/execute", "/execute/stream"];
/** Bytes that are read of an upload after it was refused: a client that is still sending would not see the reason otherwise. */
const MAX_DRAINED_BYTES = 4 * MAX_MESSAGE_BYTES;

/** Never rejects. */
export async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  deps: HttpDeps,
): Promise<void> {
  try {
    await handle(request, response, deps);
  } catch {
    // The client went away while it was sending its request.
    response.destroy();
  }
}

async function handle(request: IncomingMessage, response: ServerResponse, deps: HttpDeps): Promise<void> {
  const path = (request.url ?? "").split("?", 1)[0] ?? "";
  const streams = path === "/execute/stream";
  const { headers, method } = request;
  if (!PATHS.includes(path))
    return send(response, 404, PLAIN_JSON, { error: `Not here. POST to ${PATHS.join(" or ")}` });
  if (method !== "POST") {
    response.setHeader("allow", "POST");
    return send(response, 405, PLAIN_JSON, { error: "Only POST is understood here" });
  }
  const deny = (status: number, problem: Problem): void =>
    send(response, status, ATP_JSON, refuse(NO_TASK_ID, [problem]));
  if (isForeignOrigin(headers.origin))
    return deny(403, { field: "Origin", message: "is not of this machine" });
  const sent = readContentType(headers["content-type"]);
  if (sent === null || (headers["content-encoding"] ?? "identity") !== "identity") {
    return deny(415, { field: "Content-Type", message: `must be ${ATP_JSON} or ${PLAIN_JSON}, in UTF-8` });
  }
  const type = chooseType(headers.accept, sent, streams);
  if (type === null)
    return deny(406, { field: "Accept", message: `must allow ${ATP_JSON} or ${PLAIN_JSON}` });
  if (headers["last-event-id"] !== undefined) {
    return deny(409, { field: "Last-Event-ID", message: "names no task: a task ends with its connection" });
  }

  const body = await readBody(request);
  if (body === null) {
    discardRest(request);
    const problem = { field: "", message: "is larger than 10 MB" };
    return send(response, 413, type, refuse(NO_TASK_ID, [problem], { limit_bytes: MAX_MESSAGE_BYTES }));
  }
  const decoded = decodeRequest(body);
  if ("refusal" in decoded) return send(response, 400, type, decoded.refusal);
  if (deps.isStopping()) return send(response, 503, type, refuseStopping(decoded.request));
  if (response.destroyed) return;

  const stream = streams ? openEventStream(response, deps.limits) : undefined;
  const task = deps.start(decoded.request, (event) => stream?.event(event));
  response.once("close", () => {
    if (!response.writableFinished) task.cancel("the client went away");
  });
  const last = await task.response;
  if (stream) return stream.end(last);
  response.setTimeout(deps.limits.stallMs, () => response.destroy());
  send(response, 200, type, last);
}

function send(response: ServerResponse, status: number, type: string, body: object): void {
  if (response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(text) });
  response.end(text);
}

function discardRest(request: IncomingMessage): void {
  let size = 0;
  request.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_DRAINED_BYTES) request.socket.destroy();
  });
}
