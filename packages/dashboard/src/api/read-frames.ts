// Server-Sent Events out of a response body. `fetch` instead of EventSource: only it can send a token as a header.

export interface Frame {
  /** Id of the frame; undefined where it has none. */
  id: string | undefined;
  /** Kind of the frame; undefined for an event of a run. */
  event: string | undefined;
  /** Data of the frame; undefined for one that only says how far the stream has read. */
  data: string | undefined;
}

/** Yields the frames of the body, and undefined for every piece that completes no frame, so that a reader sees that the hub is alive. */
export async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame | undefined> {
  const reader = body.pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>);
  let rest = "";
  for await (const text of chunksOf(reader)) {
    rest += text;
    let end = rest.indexOf("\n\n");
    if (end === -1) yield undefined;
    for (; end !== -1; end = rest.indexOf("\n\n")) {
      yield parseFrame(rest.slice(0, end));
      rest = rest.slice(end + 2);
    }
  }
}

async function* chunksOf(stream: ReadableStream<string>): AsyncGenerator<string> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}

function parseFrame(text: string): Frame {
  let id: string | undefined;
  let event: string | undefined;
  const data: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, field, value = ""] = /^(\w+)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === "id") id = value;
    if (field === "event") event = value;
    if (field === "data") data.push(value);
  }
  return { id, event, data: data.length === 0 ? undefined : data.join("\n") };
}
