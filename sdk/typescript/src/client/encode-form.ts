// A file as multipart/form-data. Content that is in memory is sent as FormData, with a length; a stream is sent as it arrives, so
// that memory never holds the whole of it.
import type { Upload } from "./artifacts.ts";

export type Content = string | Uint8Array | Blob | AsyncIterable<Uint8Array>;

export interface Form {
  body: FormData | ReadableStream<Uint8Array>;
  headers: Record<string, string>;
  /** Returns the error that the content threw while it was read; undefined when there was none. */
  failure(): unknown;
  /** Stops reading the content, so that a stream can release what it holds. */
  close(): void;
}

export function encodeForm(upload: Upload): Form {
  const { content, relativePath } = upload;
  const name = upload.name ?? (content instanceof File ? content.name : undefined);
  if (name === undefined || name === "") throw new TypeError("an upload needs the `name` of its file");
  const type = upload.contentType ?? (content instanceof Blob ? content.type : "");
  if (typeof content === "object" && Symbol.asyncIterator in content)
    return streamedForm(content, name, type, relativePath);
  const body = new FormData();
  if (relativePath !== undefined) body.append("relative_path", relativePath);
  body.append("file", new Blob([content], { type }), name);
  return { body, headers: {}, failure: () => undefined, close: () => undefined };
}

function streamedForm(
  content: AsyncIterable<Uint8Array>,
  name: string,
  type: string,
  relativePath: string | undefined,
): Form {
  const boundary = `proctor-${crypto.randomUUID()}`;
  const encoder = new TextEncoder();
  let failure: unknown;

  async function* parts(): AsyncGenerator<Uint8Array> {
    const part = (head: string): string => `--${boundary}\r\nContent-Disposition: form-data; ${head}`;
    const field = relativePath === undefined ? "" : part(`name="relative_path"\r\n\r\n${relativePath}\r\n`);
    // A type with a line break in it could add a header of its own.
    const mediaType = /^[\x21-\x7e]+\/[\x20-\x7e]+$/.test(type) ? type : "application/octet-stream";
    const file = part(`name="file"; filename="${escapeName(name)}"\r\nContent-Type: ${mediaType}\r\n\r\n`);
    yield encoder.encode(field + file);
    try {
      yield* content;
    } catch (error) {
      failure = error;
      throw error;
    }
    yield encoder.encode(`\r\n--${boundary}--\r\n`);
  }

  const chunks = parts();
  return {
    body: toStream(chunks),
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    failure: () => failure,
    // Nobody waits for the content to end, because one that hangs must not block the caller.
    close: () => void chunks.return(undefined).catch(() => undefined),
  };
}

/** Escapes a file name as browsers do (HTML, "Multipart form data"). */
function escapeName(name: string): string {
  return name.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");
}

function toStream(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
