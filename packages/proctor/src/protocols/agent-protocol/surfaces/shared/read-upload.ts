// Reads an upload (multipart/form-data with `file` and perhaps `relative_path`) and hands the file on while it comes. Whatever is
// wrong with the form fails the file's content, so that the store keeps nothing; nothing counts before the form's end.
import type { Readable } from "node:stream";
import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";
import { ProctorError } from "../../../../core/errors.ts";
import { mediaTypeOf, UNKNOWN_TYPE } from "../../../../core/media-type.ts";
import type { NewFile } from "../../../../core/ports/hub.ts";
import { nodeBody } from "../../../../runtime/http/node-body.ts";
import { checkFileName, MAX_PATH_BYTES, placeFile } from "./relative-path.ts";
import { wrongField } from "./read-fields.ts";

/** Bytes of the largest file: 50 MB, as document 003 says, taken exactly. */
export const MAX_FILE_BYTES = 52_428_800;
/** Bytes of a form besides its file. */
const FORM_BYTES = 64 * 1024;
/** Bytes of a refused body that are read and dropped, so that its client gets to read the answer. */
const DRAIN_BYTES = 64 * 1024 * 1024;

export interface Upload<T> {
  maxFileBytes: number;
  /** The path from the query; a path in the form is then ignored. */
  relativePath?: string;
  /**
   * Stores the file. Its `relativePath` is final only when its content has been read to the end: the form may say it after the
   * file.
   */
  store: (file: NewFile) => Promise<T>;
  /** Returns what else is known about the file. */
  describe: (fileName: string) => Partial<Pick<NewFile, "stepId" | "storedAs">>;
}

/** Throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, INVALID_REQUEST, or what `store` throws. */
export async function readUpload<T>(request: Request, upload: Upload<T>): Promise<T> {
  const { maxFileBytes } = upload;
  const form = openForm(request);
  if (Number(request.headers.get("content-length")) > maxFileBytes + FORM_BYTES) throw tooLarge(maxFileBytes);
  const body = nodeBody(request) ?? withoutFile();
  let stored: Promise<T> | undefined;
  let file: BusboyFileStream | undefined;
  let path = upload.relativePath;
  let problem: unknown;
  let settle = (): void => undefined;
  /** Resolves when the form has been read to its end or something is wrong with it; `problem` then says what. */
  const read = new Promise<void>((resolve) => (settle = resolve));

  function fail(cause: unknown): void {
    problem ??= cause;
    file?.destroy();
    body.unpipe(form);
    settle();
  }

  async function* contentOf(stream: BusboyFileStream): AsyncGenerator<Uint8Array> {
    let sizeBytes = 0;
    try {
      // Node's streams of bytes give buffers.
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        sizeBytes += chunk.byteLength;
        if (sizeBytes > maxFileBytes) throw tooLarge(maxFileBytes);
        yield chunk;
      }
    } catch (cause) {
      fail(ProctorError.is(cause) ? cause : cutOff(cause));
    }
    await read;
    if (problem !== undefined) throw problem;
  }

  form.on("field", (name, value, _nameCut, valueCut) => {
    if (name === "file") fail(notAFile());
    if (name !== "relative_path" || upload.relativePath !== undefined) return;
    if (path !== undefined) return fail(wrongField("relative_path", "was sent twice"));
    if (valueCut) return fail(wrongField("relative_path", `is longer than ${MAX_PATH_BYTES} bytes`));
    path = value;
    attempt(() => placeFile(value, "x"));
  });

  form.on("file", (field, stream, name, _encoding, contentType) => {
    // The error of a destroyed stream is seen where it is read.
    stream.on("error", () => undefined);
    if (problem !== undefined) return void stream.resume();
    const refusal = file !== undefined ? twoFiles() : field !== "file" ? otherField(field) : undefined;
    if (refusal !== undefined) {
      stream.resume();
      return fail(refusal);
    }
    // A form that was sent without choosing a file.
    if (name === undefined || name === "") return void stream.resume();
    file = stream;
    attempt(() => {
      const fileName = checkFileName(name.replaceAll("%22", '"'));
      stored = upload.store({
        ...upload.describe(fileName),
        fileName,
        get relativePath() {
          return placeFile(path, fileName);
        },
        contentType: typeOf(contentType, fileName),
        maxBytes: maxFileBytes,
        content: contentOf(stream),
      });
      // It is awaited below; until then a failure must not count as unhandled.
      stored.catch(fail);
    });
  });

  function attempt(act: () => void): void {
    try {
      act();
    } catch (cause) {
      fail(cause);
    }
  }

  form.on("error", (cause) => fail(cutOff(cause)));
  form.on("finish", settle);
  body.on("error", (cause) => fail(cutOff(cause)));
  body.pipe(form);
  try {
    await read;
    const result = await stored;
    if (problem !== undefined) throw problem;
    if (stored === undefined) throw noFile();
    // `stored` is a promise of T here; TypeScript does not see what the form's listeners assign.
    return result as T;
  } finally {
    form.destroy();
    drain(body);
  }
}

function openForm(request: Request): BusboyInstance {
  const type = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(type)) {
    throw new ProctorError(
      "UNSUPPORTED_MEDIA_TYPE",
      'the body must be multipart/form-data\nsend the file as its field "file": curl -F file=@report.pdf',
    );
  }
  try {
    return new Busboy({
      headers: { "content-type": type },
      limits: {
        files: 2,
        fields: 20,
        parts: 22,
        fieldSize: MAX_PATH_BYTES,
        headerPairs: 20,
        headerSize: 16 * 1024,
      },
    });
  } catch (cause) {
    throw new ProctorError("INVALID_REQUEST", "the multipart body has no usable boundary", { cause });
  }
}

/** Reads what is left of a body, up to a limit, and drops it. */
function drain(body: Readable): void {
  if (body.readableEnded || body.destroyed) return;
  let left = DRAIN_BYTES;
  body.on("data", (chunk: Uint8Array) => {
    left -= chunk.byteLength;
    if (left < 0) body.destroy();
  });
  body.resume();
}

/** Picks the type by the extension where the form has none, and so reads as text, or octet-stream, which says nothing. */
function typeOf(said: string, fileName: string): string {
  const guessed = mediaTypeOf(fileName);
  if (!MEDIA_TYPE.test(said) || said === UNKNOWN_TYPE) return guessed ?? UNKNOWN_TYPE;
  return said === "text/plain" && guessed !== undefined && !guessed.startsWith("text/") ? guessed : said;
}

const MEDIA_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/;

function withoutFile(): never {
  throw noFile();
}

function noFile(): ProctorError {
  return wrongField("file", 'is missing\nsend it as a multipart field "file": curl -F file=@report.pdf');
}

function notAFile(): ProctorError {
  return wrongField(
    "file",
    "came as a text field, without a file name\nwith curl, write -F file=@report.pdf",
  );
}

function twoFiles(): ProctorError {
  return wrongField("file", "came twice\nsend one file per request");
}

function otherField(name: string): ProctorError {
  return wrongField("file", `came in the field "${name.slice(0, 100)}"\nsend it in the field "file"`);
}

function tooLarge(maxBytes: number): ProctorError {
  return new ProctorError("PAYLOAD_TOO_LARGE", `the file is larger than ${maxBytes} bytes`);
}

function cutOff(cause: unknown): ProctorError {
  return new ProctorError(
    "INVALID_REQUEST",
    "the multipart body is malformed or was cut off before its end",
    {
      cause,
    },
  );
}
