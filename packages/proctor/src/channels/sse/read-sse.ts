// An event stream as its messages, one by one. Leaving the loop early closes the source, too.
import { createSseParser } from "./parse-sse.ts";
import type { SseMessage, SseParserOptions } from "./parse-sse.ts";

export async function* readSse(
  stream: AsyncIterable<Uint8Array>,
  options: SseParserOptions = {},
): AsyncGenerator<SseMessage, void> {
  const parser = createSseParser(options);
  for await (const chunk of stream) yield* parser.push(chunk);
  yield* parser.end();
}
