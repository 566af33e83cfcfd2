import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createManualClock } from "../../../test/support/manual-clock.ts";
import { bucketOptions, startFaultProxy, startS3, type FaultProxy } from "../../../test/support/s3.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { StoredFiles } from "../../core/ports/store.ts";
import type { Store } from "../../core/ports/store.ts";
import { collectBytes } from "../../runtime/http/limited-bytes.ts";
import { openSqliteStore } from "../sqlite/open-store.ts";
import { blobStoreCases } from "./blob-store.case.ts";
import { createBucket } from "./s3-bucket.ts";
import { openS3Blobs, type S3BlobsOptions } from "./s3-blobs.ts";
import type { SweptBlobs } from "./swept-blobs.ts";

const folder = temporaryFolder("s3-blobs");
const MEGABYTE = 1024 * 1024;
let endpoint: string;
let proxy: FaultProxy;
let store: Store;

beforeAll(async () => {
  endpoint = await startS3();
  proxy = await startFaultProxy(endpoint);
  store = await openSqliteStore({ file: join(folder, "p.db") });
  return () => store.close();
});

function open(changes: Partial<S3BlobsOptions> = {}): Promise<SweptBlobs> {
  return openS3Blobs({ ...bucketOptions(endpoint), marks: store.blobMarks, ...changes });
}

async function keys(): Promise<string[]> {
  return (await createBucket(bucketOptions(endpoint)).list("")).objects.map(({ key }) => key);
}

async function empty(): Promise<void> {
  const bucket = createBucket(bucketOptions(endpoint));
  for (const key of await keys()) await bucket.remove(key);
  for (const { id } of await store.blobMarks.expired(Infinity, 1000)) await store.blobMarks.remove(id);
  for (const name of await store.blobMarks.names(Infinity, "", 1000)) await store.blobMarks.unlink(name);
}

const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const readAll = async (blobs: SweptBlobs, hash: string) => Buffer.from(await collectBytes(blobs.read(hash)));

async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 700_000) yield bytes.subarray(at, at + 700_000);
}

afterEach(async () => {
  proxy.fault = () => undefined;
  proxy.seen = [];
  await empty();
});

blobStoreCases("blobs in a bucket", async () => ({
  blobs: await open(),
  other: await open(),
  count: async () => (await keys()).length,
  close: async () => undefined,
}));

describe("a bucket that fails", () => {
  let blobs: SweptBlobs;

  beforeEach(async () => {
    blobs = await open({ endpoint: proxy.endpoint });
    proxy.seen = [];
  });

  test.each(["cut", { status: 503, code: "SlowDown" }, { status: 500 }] as const)(
    "is asked again after %j, and the bytes arrive whole",
    async (fault) => {
      const failed = new Set<string>();
      proxy.fault = ({ method, url = "" }) => {
        const request = `${method} ${url}`;
        if (failed.has(request)) return undefined;
        failed.add(request);
        return fault;
      };
      const bytes = randomBytes(9 * MEGABYTE);
      const ref = await blobs.put(inChunks(bytes));
      expect(ref).toEqual({ sha256: hashOf(bytes), sizeBytes: bytes.length });
      expect(hashOf(await readAll(blobs, ref.sha256))).toBe(ref.sha256);
      expect(failed.size).toBeGreaterThan(6);
      expect(await keys()).toEqual([ref.sha256]);
    },
  );

  test("is read on from where the connection was cut", async () => {
    const bytes = randomBytes(MEGABYTE);
    const { sha256 } = await blobs.put(bytes);
    let cuts = 0;
    proxy.fault = ({ method }) => (method === "GET" && cuts++ < 3 ? "cut in the middle" : undefined);
    expect(hashOf(await readAll(blobs, sha256))).toBe(sha256);
    expect(cuts).toBe(4);
  });

  test("is given up after a few attempts, with what to do", async () => {
    proxy.fault = () => ({ status: 503, code: "SlowDown" });
    await expect(blobs.put(randomBytes(10))).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining("cannot be used now (503"),
    });
    expect(proxy.seen.length).toBe(5);
  });

  test("that never answers is given up, too", async () => {
    const impatient = await open({ endpoint: proxy.endpoint, timeoutMs: 50 });
    proxy.fault = () => "silence";
    await expect(impatient.stat("a".repeat(64))).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining("cannot be reached (ETIMEDOUT)"),
    });
  });

  test("lets go of an upload at once when its signal fires", async () => {
    const stop = new AbortController();
    proxy.fault = ({ method, url = "" }) => {
      if (method !== "PUT" || !url.includes("partNumber=2")) return undefined;
      stop.abort(new Error("cancelled"));
      return "silence";
    };
    await expect(blobs.put(inChunks(randomBytes(17 * MEGABYTE)), stop.signal)).rejects.toThrow("cancelled");
    expect(proxy.seen.some((request) => /^DELETE .*uploadId=/.test(request))).toBe(true);
    expect(await keys()).toEqual([]);
  });

  test("is full", async () => {
    proxy.fault = ({ method }) => (method === "PUT" ? { status: 507, code: "QuotaExceeded" } : undefined);
    await expect(blobs.put(randomBytes(10))).rejects.toMatchObject({ code: "STORE_FULL" });
  });
});

test("an object beyond the limit of one copy is copied by parts", async () => {
  const real = createBucket(bucketOptions(endpoint));
  // s3rver copies whole objects only, so its stand-in does the copying of parts with the requests that s3rver has.
  proxy.fault = ({ headers }) => (headers["x-amz-copy-source-range"] === undefined ? undefined : copyPart);
  async function copyPartNow(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(incoming.url ?? "", endpoint);
    const [start = 0, end = 0] = /=(\d+)-(\d+)/
      .exec(String(incoming.headers["x-amz-copy-source-range"]))!
      .slice(1)
      .map(Number);
    const from = String(incoming.headers["x-amz-copy-source"]).split("/").at(-1) ?? "";
    const bytes = await collectBytes((await real.get(from, { start, end }))!);
    const [upload, number] = [searchParams.get("uploadId"), Number(searchParams.get("partNumber"))];
    const { etag } = await real.putPart(pathname.split("/").at(-1) ?? "", upload ?? "", number, bytes);
    answer.end(`<CopyPartResult><ETag>&quot;${etag}&quot;</ETag></CopyPartResult>`);
  }
  const copyPart = (incoming: IncomingMessage, answer: ServerResponse) => void copyPartNow(incoming, answer);
  const blobs = await open({ endpoint: proxy.endpoint, maxCopyBytes: 3 * MEGABYTE });
  const bytes = randomBytes(10 * MEGABYTE);
  const { sha256 } = await blobs.put(inChunks(bytes));
  expect(proxy.seen.filter((request) => /^PUT .*partNumber/.test(request))).toHaveLength(2 + 4);
  expect(hashOf(await readAll(blobs, sha256))).toBe(hashOf(bytes));
  expect(await keys()).toEqual([sha256]);
});

describe("opening a bucket", () => {
  test.each([
    [
      "that does not exist",
      { bucket: "nowhere" },
      /there is no bucket nowhere at .*\ncreate it, or correct ARTIFACTS_URL/,
    ],
    [
      "with an unknown key",
      { accessKeyId: "SOMEBODY" },
      /does not accept the keys .*\nset S3_ACCESS_KEY_ID and/,
    ],
  ])("%s is refused, and says what to do", async (_, changes, message) => {
    const refusal: unknown = await open(changes).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "CONFIG_INVALID", message: expect.stringMatching(message) });
    expect(String(refusal)).not.toMatch(/S3RVER|SOMEBODY/);
  });

  test.each([
    [{ status: 403, code: "SignatureDoesNotMatch" }, /does not accept the keys .*\nset S3_ACCESS_KEY_ID and/],
    [{ status: 403, code: "AccessDenied" }, /does not allow this .*\nallow these keys s3:GetObject/],
    [{ status: 400, code: "AuthorizationHeaderMalformed" }, /is not in the region us-east-1/],
    [{ status: 403, code: "RequestTimeTooSkewed" }, /clock differs .*\nset the clock/],
  ])("that answers %j is refused, and says what to do", async (fault, message) => {
    proxy.fault = () => fault;
    await expect(open({ endpoint: proxy.endpoint })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(message),
    });
  });

  test("that nobody serves says where it looked", async () => {
    // A port of the system that no program of today has.
    await expect(open({ endpoint: "http://127.0.0.2:39" })).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringMatching(
        /bucket proctor at http:\/\/127.0.0.2:39 cannot be reached \(ECONNREFUSED\)/,
      ),
    });
  });
});

describe("sweeping a bucket", () => {
  const DAY_MS = 86_400_000;
  const refersTo =
    (...kept: string[]) =>
    async ({ hashes, names }: StoredFiles): Promise<StoredFiles> => ({
      hashes: hashes.filter((hash) => !kept.includes(hash)),
      names: names.filter((name) => !kept.includes(name)),
    });

  test("removes unfinished uploads of long ago, and nothing else", async () => {
    const bucket = createBucket(bucketOptions(endpoint));
    await bucket.put("tmp-left", randomBytes(10));
    await bucket.put("somebody-else", randomBytes(10));
    expect(await (await open()).sweep()).toBe(0);
    const later = await open({ clock: createManualClock(Date.now() + 2 * DAY_MS) });
    expect(await later.sweep()).toBe(1);
    expect(await keys()).toEqual(["somebody-else"]);
  });

  test("removes bytes and names that were never recorded, once their holds are over", async () => {
    const blobs = await open();
    const [kept, orphan] = [await blobs.put(randomBytes(10)), await blobs.put(randomBytes(20))];
    const name = "018f0000-0000-7000-8000-000000000000_report.txt";
    await blobs.link(orphan.sha256, name);
    expect(await blobs.sweepOrphans("me", refersTo())).toBe(0);
    const later = await open({ clock: createManualClock(Date.now() + 2 * DAY_MS) });
    expect(await later.sweepOrphans("me", refersTo(kept.sha256))).toBe(2);
    expect(await keys()).toEqual([kept.sha256]);
    expect(await store.blobMarks.expired(Infinity, 10)).toEqual([]);
    await blobs.link(kept.sha256, name);
  });
});
