// The scripted model of doubles/llm in the place of a real one, for the model endpoints of runs.
import type { LlmScript } from "../../core/llm-script.ts";
import { ApiError, encodeError } from "../../doubles/llm/api-error.ts";
import { createChat } from "../../doubles/llm/chat.ts";
import type { Reply, StreamReply } from "../../doubles/llm/reply.ts";
import { pause } from "../../runtime/time/pause.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import type { AskModel } from "../../llm/ask-model.ts";

/** Answers that are used up stay used up for the life of this model. */
export function createMockModel(script: LlmScript): AskModel {
  const chat = createChat({ script, clock: systemClock, redact: (text) => text });
  return async (body, signal) => {
    let reply: Reply;
    try {
      ({ reply } = await chat(body, signal));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      reply = { status: error.status, headers: error.headers, body: encodeError(error) };
    }
    if ("body" in reply) {
      const { status, headers = {} } = reply;
      return Response.json(reply.body, { status, headers });
    }
    return new Response(streamOf(reply, signal), { headers: { "content-type": "text/event-stream" } });
  };
}

function streamOf(reply: StreamReply, signal: AbortSignal): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const pieces = write(reply, signal);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await pieces.return();
      },
    },
    { highWaterMark: 0 },
  );
}

async function* write({ events, cut }: StreamReply, signal: AbortSignal): AsyncGenerator<string, void> {
  for (const { data, delayMs } of events) {
    if (delayMs > 0) await pause(systemClock, delayMs, signal);
    yield `data: ${JSON.stringify(data)}\n\n`;
  }
  if (cut) throw new Error("the script cuts the stream here");
  yield "data: [DONE]\n\n";
}
