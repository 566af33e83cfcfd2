// The requests to one bucket that blobs need: each is tried again while that may help, ends with its signal, and fails with an error of the
// catalogue. Which object means what is s3-blobs.ts.
import { S3mini } from "s3mini";
import type { ByteRange } from "../../core/ports/blob-store.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { retryDelayMs } from "../../core/retry-delay.ts";
import { unlessAborted } from "../../core/unless-aborted.ts";
import { never } from "../../runtime/time/never.ts";
import { pause } from "../../runtime/time/pause.ts";
import { isPassing, problemOf, s3Error, type BucketAddress } from "./s3-errors.ts";

export interface BucketOptions extends BucketAddress {
  accessKeyId: string;
  secretAccessKey: string;
  clock: Clock;
  random: () => number;
  /** Milliseconds that a request may take until its answer begins. */
  timeoutMs?: number;
}

export interface Part {
  partNumber: number;
  etag: string;
}

export interface Listed {
  key: string;
  changedAtMs: number;
}

export interface Bucket {
  /** Waits for work that is not a request, but ends with the same signal. */
  unlessAborted<T>(work: Promise<T>): Promise<T>;
  /** Throws CONFIG_INVALID where the bucket or its keys are wrong. */
  check(): Promise<void>;
  /** Resolves with the size in bytes; undefined when there is no such object. */
  sizeOf(key: string): Promise<number | undefined>;
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Resolves with the bytes of an object, or of a range of them; undefined when there is no such object. */
  get(key: string, range: ByteRange): Promise<ReadableStream<Uint8Array> | undefined>;
  copy(from: string, to: string): Promise<void>;
  /** Removes an object; a no-op when there is none. */
  remove(key: string): Promise<void>;
  list(prefix: string, cursor?: string): Promise<{ objects: Listed[]; cursor?: string }>;
  beginParts(key: string): Promise<string>;
  putPart(key: string, upload: string, number: number, bytes: Uint8Array): Promise<Part>;
  copyPart(from: string, range: ByteRange, key: string, upload: string, number: number): Promise<Part>;
  endParts(key: string, upload: string, parts: Part[]): Promise<void>;
  /** Drops the parts of an upload. Never throws: the bucket's lifecycle rule removes what remains. */
  dropParts(key: string, upload: string): Promise<void>;
}

const TIMEOUT_MS = 120_000;
const MAX_ATTEMPTS = 5;
const DELAYS = { max_attempts: MAX_ATTEMPTS, initial_delay_ms: 100, max_delay_ms: 5000 };
const LIST_SIZE = 1000;

export function createBucket(options: BucketOptions, signal: AbortSignal = never): Bucket {
  const { bucket, endpoint, region, accessKeyId, secretAccessKey, clock, random } = options;
  const client = connect(signal);

  function connect(ending: AbortSignal): S3mini {
    return new S3mini({
      accessKeyId,
      secretAccessKey,
      region,
      endpoint: `${endpoint}/${bucket}`,
      fetch: (url, init) => send(url, init, ending, options.timeoutMs ?? TIMEOUT_MS),
    });
  }

  async function attempt<T>(request: () => Promise<T>, wrong?: "CONFIG_INVALID"): Promise<T> {
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted();
      try {
        return await request();
      } catch (error) {
        signal.throwIfAborted();
        if (tries >= MAX_ATTEMPTS || !isPassing(error)) throw s3Error(error, options, wrong);
        await pause(clock, retryDelayMs(DELAYS, tries, random()), signal);
      }
    }
  }

  /** Resolves with undefined where the object, not the bucket, is missing. An answer to HEAD has no body to tell the two apart. */
  async function unlessMissing<T>(request: () => Promise<T>): Promise<T | undefined> {
    try {
      return await request();
    } catch (error) {
      const { status, name } = problemOf(error);
      if (status === 404 && name !== "NoSuchBucket") return undefined;
      throw error;
    }
  }

  const sizeOf = (key: string): Promise<number | undefined> =>
    attempt(() => unlessMissing(() => client.getContentLength(key)));

  return {
    unlessAborted: (work) => unlessAborted(work, signal),
    async check() {
      await attempt(async () => {
        // No object has this prefix: the request only asks whether the bucket answers.
        const found = await client.listObjectsPaged("/", "check-", 1);
        if (found == null) throw Object.assign(new Error(), { status: 404, code: "NoSuchBucket" });
      }, "CONFIG_INVALID");
    },
    sizeOf,
    put: (key, bytes) => attempt(async () => drain(await client.putObject(key, bytes))),
    get: (key, { start, end }) =>
      attempt(async () => {
        // The end of a range is exclusive for s3mini.
        const answer = await unlessMissing(() => client.getObjectRaw(key, false, start, end + 1));
        return answer?.body ?? undefined;
      }),
    copy: (from, to) => attempt(async () => void (await client.copyObject(from, to))),
    remove: (key) => attempt(async () => void (await unlessMissing(() => client.deleteObject(key)))),
    list: (prefix, token) =>
      attempt(async () => {
        const page = await client.listObjectsPaged("/", prefix, LIST_SIZE, token);
        const objects = page?.objects ?? [];
        const next = page?.nextContinuationToken;
        return {
          objects: objects.map(({ Key, LastModified }) => ({
            key: Key,
            changedAtMs: LastModified.getTime(),
          })),
          ...(next !== undefined && { cursor: next }),
        };
      }),
    beginParts: (key) => attempt(() => client.getMultipartUploadId(key)),
    putPart: (key, upload, number, bytes) => attempt(() => client.uploadPart(key, upload, bytes, number)),
    copyPart: (from, { start, end }, key, upload, number) =>
      attempt(() =>
        client.uploadPart(key, upload, "", number, {}, undefined, {
          "x-amz-copy-source": `/${bucket}/${from}`,
          "x-amz-copy-source-range": `bytes=${start}-${end}`,
        }),
      ),
    endParts: (key, upload, parts) =>
      attempt(async () => {
        try {
          await client.completeMultipartUpload(key, upload, parts);
        } catch (error) {
          // The answer to an attempt that succeeded may have been lost.
          if (problemOf(error).status !== 404 || (await sizeOf(key)) === undefined) throw error;
        }
      }),
    async dropParts(key, upload) {
      // Done even after the signal has fired.
      await connect(never)
        .abortMultipartUpload(key, upload)
        .catch(() => undefined);
    },
  };
}

/** Calls fetch with the caller's signal, a limit until the answer begins, and the ETag where s3mini looks for it. */
async function send(
  url: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new DOMException("no answer in time", "TimeoutError")),
    timeoutMs,
  );
  try {
    const answer = await fetch(url, { ...init, signal: AbortSignal.any([signal, late.signal]) });
    if (!new Headers(init?.headers).has("x-amz-copy-source-range") || !answer.ok) return answer;
    // The answer to a copied part has its ETag in the body.
    const [, etag = ""] = /<ETag>([^<]*)<\/ETag>/.exec(await answer.text()) ?? [];
    return new Response(null, { headers: { etag: etag.replaceAll("&quot;", '"') } });
  } finally {
    clearTimeout(timer);
  }
}

/** Reads an answer to its end, because an answer that is not read keeps its connection. */
async function drain(answer: Response): Promise<void> {
  await answer.body?.cancel();
}
