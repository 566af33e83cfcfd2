// An endpoint that notes what it is asked and answers as a test says.
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { AgentSpec } from "../../../src/core/agent.ts";
import type { Json, JsonObject } from "../../../src/core/json.ts";
import { serveHttp } from "../http/servers.ts";

export interface Asking {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body as JSON; null when there is none. */
  body: Json;
}

type Answer = (response: ServerResponse, asking: Asking) => void;

export async function jsonEndpoint(
  answer: Json | Answer,
  options?: JsonObject,
): Promise<{ spec: AgentSpec; asked: Asking[] }> {
  const asked: Asking[] = [];
  const { url } = await serveHttp((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const asking: Asking = {
        method: request.method ?? "",
        url: request.url ?? "",
        headers: request.headers,
        text,
        body: text === "" ? null : (JSON.parse(text) as Json),
      };
      asked.push(asking);
      if (typeof answer === "function") return answer(response, asking);
      response.setHeader("content-type", "application/json");
      return response.end(JSON.stringify(answer));
    });
  });
  const spec: AgentSpec = {
    protocol: "rest",
    transport: "http",
    url: `${url}/chat`,
    ...(options && { options }),
  };
  return { spec, asked };
}

/** Sends frames of an event stream, each with this data. */
export function eventStream(...frames: readonly (Json | { event: string; data: Json })[]): Answer {
  return (response) => {
    response.setHeader("content-type", "text/event-stream");
    for (const frame of frames)
      response.write(`data: ${typeof frame === "string" ? frame : JSON.stringify(frame)}\n\n`);
    response.end();
  };
}
