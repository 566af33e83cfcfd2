// A mock agent's two doors over HTTP: `/execute/stream` tells everything, `/execute` only the response.
import type { MockAgent, Performance } from "./mock-agent.ts";
import { MAX_REQUEST_BYTES, readRequest } from "./read-request.ts";

export interface HttpDoors {
  /** `cut` breaks the connection, whatever was answered. */
  fetch(request: Request, cut: () => void): Promise<Response>;
}

export interface HttpDoorsOptions {
  agent: MockAgent;
  encodeSse: (frame: { event?: string; id?: string; data: string }) => string;
  /** Aborted when the mock stops. */
  signal: AbortSignal;
}

const PATH = /^(?:.*)\/execute(\/stream)?$/;
const UTF8 = new TextEncoder();

export function createHttpDoors({ agent, encodeSse, signal }: HttpDoorsOptions): HttpDoors {
  function stream(performance: Performance, cut: () => void): Response {
    const left = new AbortController();
    const either = AbortSignal.any([left.signal, signal]);
    let sent = 0;
    let taken = (): void => undefined;

    async function play(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
      const outcome = await performance.play(async ({ role, text }) => {
        const event = role === "response" ? "response" : "event";
        controller.enqueue(UTF8.encode(encodeSse({ event, id: String(sent++), data: text })));
        // A client that does not read holds the agent back, and what was said is on its way before anything is cut.
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
      const [, streamed] = PATH.exec(new URL(request.url).pathname) ?? [];
      if (!PATH.test(new URL(request.url).pathname))
        return refuse(404, "there are /execute and /execute/stream");
      if (request.method !== "POST") return refuse(405, "tasks are sent with POST");
      const text = await readText(request);
      if (text === undefined) return refuse(413, "the body is too large or was cut off");
      const task = readRequest(text);
      if (task === undefined) return refuse(400, "the body is no ATP request");
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

function refuse(status: number, error: string): Response {
  return Response.json({ error }, { status });
}

/** Undefined when it is too large, or no text. */
async function readText(request: Request): Promise<string | undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > MAX_REQUEST_BYTES) return undefined;
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch {
    return undefined;
  }
}
