// Server-Sent Events, as far as a hub's streams use them: the data of each frame, however the bytes are cut.

export interface Frame {
  data: string;
}

/** What the stream delivers: a frame, a new retry time, or "alive", which says that bytes arrived. */
export type Sign = Frame | { retryMs: number } | "alive";

/** A frame holds one event, which the hub bounds well below this. */
const MAX_CHARS = 64 * 1024 * 1024;

export async function* readFrames(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Sign, void> {
  const decoder = new TextDecoder();
  let pending = "";
  let data: string[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    pending += decoder.decode(chunk, { stream: true });
    // A carriage return at the end may be the first half of CRLF.
    const end = pending.endsWith("\r") ? pending.length - 1 : pending.length;
    const lines = pending.slice(0, end).split(/\r\n|\n|\r/);
    pending = (lines.pop() ?? "") + pending.slice(end);
    size += chunk.byteLength;
    if (size > MAX_CHARS)
      throw new RangeError(`a frame of the event stream is larger than ${MAX_CHARS} bytes`);
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0) yield { data: data.join("\n") };
        data = [];
        size = pending.length;
      } else if (line.startsWith("data:")) data.push(line.slice(line.startsWith("data: ") ? 6 : 5));
      else if (/^retry: ?\d{1,7}$/.test(line)) yield { retryMs: Number(line.slice(6)) };
    }
    yield "alive";
  }
}
