// Raw exchanges over HTTP: POST to one of the agent's two doors; the answer is a body or a stream of frames. Redirects are
// not followed. One connection is kept and used again, as long as its requests come one after another.
import * as http from "node:http";
import * as https from "node:https";
import { createSseParser } from "../../../channels/sse/parse-sse.ts";
import type { AgentSpec } from "../../../core/agent.ts";
import { withoutTrailingSlashes } from "../../trailing-slashes.ts";
import { ATP_JSON, EVENT_STREAM, PLAIN_JSON } from "../http/media.ts";
import { startDeadline } from "./deadline.ts";
import {
  concludeExchange,
  textOf,
  type Connection,
  type Ended,
  type Exchange,
  type ExchangeOptions,
} from "./exchange.ts";
import { createTranscript, type Transcript } from "./transcript.ts";

const ACCEPTED = `${ATP_JSON}, ${PLAIN_JSON};q=0.9`;
const MAX_BODY_BYTES = 32 * 1024 * 1024;

export function openHttp(spec: AgentSpec): Connection {
  const { Agent } = spec.transport === "https" ? https : http;
  const agent = new Agent({ keepAlive: true });
  return {
    exchange: (options) => post(spec, agent, options),
    close: async () => agent.destroy(),
  };
}

async function post(spec: AgentSpec, agent: http.Agent, options: ExchangeOptions): Promise<Exchange> {
  const startedAt = performance.now();
  const transcript = createTranscript();
  const ended: Ended = { overtime: false, cancelled: false, lingered: false, unreachable: false };
  const body = Buffer.from(textOf(options.send));
  const request = (spec.transport === "https" ? https : http).request(doorOf(spec, options), {
    method: "POST",
    agent,
    headers: {
      "content-type": PLAIN_JSON,
      accept: options.door === "execute" ? ACCEPTED : `${EVENT_STREAM}, ${ACCEPTED}`,
      "content-length": body.length,
      ...lowerCased(spec.headers),
      ...options.headers,
    },
  });
  let cut = false;
  const destroy = (): void => {
    cut = true;
    request.destroy();
  };
  const deadline = startDeadline(options, { cancel: destroy, cut: destroy });
  try {
    request.end(body);
    const response = await answerOf(request);
    Object.assign(ended, {
      httpStatus: response.statusCode,
      contentType: response.headers["content-type"] ?? "",
    });
    await read(response, transcript, (answered) => {
      if (transcript.full) destroy();
      else if (answered) deadline.answered();
      else deadline.heard();
    });
  } catch (error) {
    if (!cut) Object.assign(ended, describeTrouble(error, ended.httpStatus !== undefined));
  } finally {
    deadline.clear();
  }
  const { overtime, cancelled, lingered } = deadline;
  if (transcript.full) ended.error = "it said more than anybody would read, and was cut off";
  const durationMs = performance.now() - startedAt;
  return concludeExchange(options, transcript, { ...ended, overtime, cancelled, lingered }, durationMs);
}

function doorOf(spec: AgentSpec, { door }: ExchangeOptions): URL {
  const url = new URL(spec.url ?? "");
  const path = withoutTrailingSlashes(url.pathname);
  url.pathname = door === "execute" ? `${path}/execute` : `${path}/execute/stream`;
  return url;
}

function answerOf(request: http.ClientRequest): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    request.on("error", reject);
    // We cut it off before an answer, so that it has no error.
    request.once("close", () => reject(new Error("the connection was closed without an answer")));
  });
}

async function read(
  response: http.IncomingMessage,
  transcript: Transcript,
  heard: (answered: boolean) => void,
): Promise<void> {
  // The body of an HTTP message is bytes: no encoding was set on it.
  const chunks = response as AsyncIterable<Buffer>;
  if (!/^text\/event-stream\b/i.test(response.headers["content-type"] ?? "")) {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) parts.push(chunk);
    }
    const text = Buffer.concat(parts).toString("utf8");
    if (text.trim() !== "") heard(transcript.add({ text, channel: "body" }).kind === "response");
    return;
  }
  const parser = createSseParser();
  for await (const chunk of chunks) {
    for (const frame of parser.push(chunk)) {
      if (frame.kind !== "message") continue;
      const { event, data, id } = frame;
      const named = event === "message" ? {} : { name: event };
      const { kind } = transcript.add({ text: data, channel: "frame", ...named, ...(id !== "" && { id }) });
      heard(kind === "response");
    }
  }
}

function describeTrouble(error: unknown, answered: boolean): Pick<Ended, "error" | "unreachable"> {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = error instanceof Error && error.message !== "" ? error.message : code;
  const unreachable =
    !answered && /^(E(CONNREFUSED|NOTFOUND|HOSTUNREACH|NETUNREACH|AI_AGAIN)|CERT|.*TLS|.*CERT)/.test(code);
  return { error: message, unreachable };
}

function lowerCased(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
