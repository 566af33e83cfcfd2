// A mock agent over HTTP: `/execute/stream` sends events and the response, `/execute` only the response.
import { ProctorError } from "../../core/errors.ts";
import { encodeSse } from "../../runtime/http/encode-sse.ts";
import { readJson } from "../../runtime/http/read-json.ts";
import { errorHeaders, jsonResponse, type PlainHeaders } from "../../runtime/http/respond.ts";
import type { MockAgent, Performance } from "./mock-agent.ts";
import { MAX_REQUEST_BYTES, readRequest, type AskedTask } from "./read-request.ts";

interface HttpAgent {
  /** Answers a request; `cut` breaks the connection, whatever was answered. */
  fetch(request: Request, cut: () => void): Promise<Response>;
}

interface HttpAgentOptions {
  agent: MockAgent;
  /** Aborted when the mock stops. */
  signal: AbortSignal;
}

const PATH = /^(?:.*)\/execute(\/stream)?$/;

export function createHttpAgent({ agent, signal }: HttpAgentOptions): HttpAgent {
  function stream(performance: Performance, cut: () => void): Response {
    const left = new AbortController();
    const either = AbortSignal.any([left.signal, signal]);
    let sent = 0;
    let taken = (): void => undefined;

    async function play(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
      const outcome = await performance.play(async ({ role, text }) => {
        const event = role === "response" ? "response" : "event";
        controller.enqueue(Buffer.from(encodeSse({ event, id: String(sent++), data: text })));
        // A client that does not read holds the agent back, and messages are sent before the connection is cut.
        if (!either.aborted) await new Promise<void>((resolve) => (taken = resolve));
        return !either.aborted;
      }, either);
      if (outcome === "cut") setImmediate(cut);
      else if (!left.signal.aborted) controller.close();
    }

    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void play(controller),
        pull: () => taken(),
        cancel() {
          left.abort();
          taken();
        },
      },
      { highWaterMark: 0 },
    );
    signal.addEventListener("abort", () => taken(), { once: true, signal: left.signal });
    return new Response(body, {
      headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
    });
  }

  async function whole(performance: Performance, request: Request, cut: () => void): Promise<Response> {
    let response = "";
    const outcome = await performance.play(
      async ({ role, text }) => {
        if (role === "response") response = text;
        return true;
      },
      AbortSignal.any([request.signal, signal]),
    );
    if (outcome === "cut") cut();
    return new Response(response, { headers: { "content-type": "application/json" } });
  }

  return {
    async fetch(request, cut) {
      const found = PATH.exec(new URL(request.url).pathname);
      if (found === null) return refuse(404, "there are /execute and /execute/stream");
      if (request.method !== "POST") return refuse(405, "tasks are sent with POST", { allow: "POST" });
      const [, streamed] = found;
      let task: AskedTask;
      try {
        // A client under test may leave the type out.
        task = readRequest(await readJson(request, { limitBytes: MAX_REQUEST_BYTES, anyType: true }));
      } catch (error) {
        if (!ProctorError.is(error)) throw error;
        return refuse(error.status, error.message, errorHeaders(error));
      }
      const performance = agent.begin(task);
      const { answer } = performance;
      if (answer) {
        await performance.play(() => Promise.resolve(true), signal);
        const { status, contentType, body } = answer;
        const bare = status === 204 || status === 304;
        return new Response(bare ? null : body, {
          status,
          headers: contentType === undefined ? {} : { "content-type": contentType },
        });
      }
      return streamed === undefined ? whole(performance, request, cut) : stream(performance, cut);
    },
  };
}

function refuse(status: number, error: string, headers?: PlainHeaders): Response {
  return jsonResponse({ error }, status, headers);
}
