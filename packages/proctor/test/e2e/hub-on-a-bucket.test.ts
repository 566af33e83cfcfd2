// Two hubs and a worker of the built program that share a PostgreSQL database and a bucket, and nothing else: each has an empty data directory of
// its own. What one takes, the others have; what a killed one left in the bucket is removed.
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdirSync, utimesSync } from "node:fs";
import { createServer, request, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FileArtifact } from "../../src/core/artifact.ts";
import type { Run } from "../../src/core/run.ts";
import { OWNER_KEY } from "../../src/stores/blobs/claim-bucket.ts";
import { createBucket } from "../../src/stores/blobs/s3-bucket.ts";
import { sign } from "../../src/webhooks/sign.ts";
import { eventually, HANG_MS } from "../support/eventually.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { createDatabase, lacksPostgres, query } from "../support/postgres.ts";
import { BUCKET, bucketOptions, S3_KEYS, startFaultProxy, startS3, type FaultProxy } from "../support/s3.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fixture, shellFixture } from "../support/test-hub.ts";
import { startWorkerProcess, type WorkerProcess } from "../support/worker-process.ts";

const MB = 1024 * 1024;
const task = { description: "do it" };
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

describe.skipIf(await lacksPostgres("a hub on a bucket"))("hubs on a bucket", { timeout: HANG_MS }, () => {
  const buckets = join(temporaryFolder("buckets"), "of-the-server");
  let url: string;
  let target: string;
  let proxy: FaultProxy;
  let env: Record<string, string>;
  let first: HubProcess;
  let second: HubProcess;
  let worker: WorkerProcess;
  let receiver: Server;
  /** The webhooks that came: what was signed, and how. */
  const received: { body: string; signature: string; id: string }[] = [];

  const startHub = (name: string, endpoint: string): Promise<HubProcess> =>
    startHubProcess({
      folder: temporaryFolder(name),
      env: { ...env, ARTIFACTS_URL: `s3://${BUCKET}?endpoint=${encodeURIComponent(endpoint)}` },
      args: ["--concurrency", "0"],
    });
  const objects = async (): Promise<string[]> =>
    (await createBucket(bucketOptions(target)).list("")).objects
      .map(({ key }) => key)
      .filter((key) => key !== OWNER_KEY)
      .toSorted();
  const hold = (hub: HubProcess, more: object = {}): Promise<Run> =>
    hub.post<Run>("/runs?start=false", { agent: shellFixture("ok"), task, ...more });
  const upload = (hub: HubProcess, id: string, body: Uint8Array<ArrayBuffer>): Promise<Response> =>
    fetch(`${hub.url}/runs/${id}/artifacts?file_name=big.bin`, {
      method: "POST",
      body,
      headers: { "content-type": "application/octet-stream" },
    });

  beforeAll(async () => {
    [url, target] = [await createDatabase(), await startS3(buckets)];
    proxy = await startFaultProxy(target);
    receiver = createServer((incoming, answer) => {
      let body = "";
      incoming.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
      incoming.on("end", () => {
        const header = (name: string): string => String(incoming.headers[name]);
        received.push({ body, signature: header("x-proctor-signature"), id: header("x-proctor-delivery") });
        answer.end();
      });
    }).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    env = {
      DATABASE_URL: url,
      S3_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
      S3_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
      SEAL_KEY: randomBytes(32).toString("base64"),
      PROCTOR_GRACE_SECONDS: "1",
      PROCTOR_WEBHOOK_HOSTS: "127.0.0.1",
    };
    [first, second] = await Promise.all([startHub("first", proxy.endpoint), startHub("second", target)]);
    worker = await startWorkerProcess({
      folder: temporaryFolder("worker"),
      env: { ...env, ARTIFACTS_URL: `s3://${BUCKET}?endpoint=${encodeURIComponent(target)}` },
    });
  }, HANG_MS);

  afterAll(async () => {
    await Promise.all([first.stop(), second.stop(), worker.stop()]);
    receiver.close();
  }, HANG_MS);

  it("take a file of 30 MB at one and give it at the other, whole and in ranges, and remove it with its run", async () => {
    const bytes = randomBytes(30 * MB);
    const { id } = await hold(first);
    const stored = await upload(first, id, bytes);
    expect(stored.status).toBe(201);
    const artifact = (await stored.json()) as FileArtifact;
    expect(artifact).toMatchObject({ size_bytes: bytes.length, content_hash: `sha256:${sha256(bytes)}` });
    expect(await objects()).toEqual([sha256(bytes)]);
    const place = `/runs/${id}/artifacts/${artifact.id}/content`;
    const whole = Buffer.from(await (await second.send("GET", place)).arrayBuffer());
    expect(sha256(whole)).toBe(sha256(bytes));
    // Across the border of two parts, and the end.
    for (const [range, from, to] of [
      ["bytes=8388600-8388620", 8_388_600, 8_388_621],
      ["bytes=-10", bytes.length - 10, bytes.length],
    ] as const) {
      const part = await second.send("GET", place, { headers: { range } });
      expect(part.status).toBe(206);
      expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(from, to));
    }
    expect((await second.send("DELETE", `/runs/${id}`)).status).toBe(204);
    await eventually(async () => expect(await objects()).toEqual([]));
  });

  it("let a worker elsewhere have the files and the sealed secrets of a run, and keep what it makes", async () => {
    const tools = { tools: [{ name: "search", default: { output: { hits: 3 } } }] };
    const { id } = await hold(first, {
      agent: fixture("calls-tool"),
      context: { environment: { API_KEY: "a very secret key" } },
      options: { tools },
    });
    const given = await first.send("POST", `/runs/${id}/artifacts?file_name=given.txt`, {
      body: "from a client",
      headers: { "content-type": "text/plain" },
    });
    expect(given.status).toBe(201);
    const rows = await query(url, "select sealed from runs where id = $1", [id]);
    expect(rows).toEqual([{ sealed: expect.any(String) }]);
    expect(JSON.stringify(rows)).not.toContain("a very secret key");
    await second.post(`/runs/${id}/start`);
    const ended = await second.ended(id);
    expect(ended.status).toBe("completed");
    const result = ended.artifacts.find(({ type }) => type === "structured");
    expect(result).toMatchObject({ data: { output: { secretLength: 17, given: "from a client" } } });

    const made = await first.post<Run>("/runs", { agent: fixture("file-artifact"), task });
    const { artifacts } = await first.ended(made.id);
    for (const hub of [first, second]) {
      const file = artifacts.find(({ type }) => type === "file");
      const content = await hub.send("GET", `/runs/${made.id}/artifacts/${file?.id}/content`);
      expect(await content.text()).toContain("# Report");
    }
    for (const run of [id, made.id]) expect((await second.send("DELETE", `/runs/${run}`)).status).toBe(204);
    await eventually(async () => expect(await objects()).toEqual([]));
  });

  it("send on the webhooks of a hub that was killed, and remove the bytes that it left in the bucket", async () => {
    const { port } = receiver.address() as AddressInfo;
    const webhook = { url: `http://127.0.0.1:${port}/`, secret: "of the receiver" };
    const { id } = await hold(first, { options: { webhook } });

    await eventually(async () => {
      const [kept] = (await query(url, "select document from subscriptions")) as { document: string }[];
      expect(kept?.document).toContain('"settled":0');
    });

    // Two uploads whose bytes arrive at the bucket, but not the answer that they did.
    const arrived: string[] = [];
    proxy.fault = (incoming) => {
      const isCopy = incoming.headers["x-amz-copy-source"] !== undefined;
      const isObject = incoming.method === "PUT" && !incoming.url?.includes("uploadId=");
      if (isCopy) return "silence";
      return isObject
        ? (asked) => forwardOnly(target, asked, () => arrived.push(asked.url ?? ""))
        : undefined;
    };
    const small = Buffer.from("a small file");
    const lost = [upload(first, id, small), upload(first, id, randomBytes(20 * MB))].map((sent) =>
      sent.then(
        ({ status }) => status,
        () => "cut",
      ),
    );
    await eventually(async () => {
      const left = await objects();
      expect(left).toContain(sha256(small));
      expect(left.filter((key) => key.startsWith("tmp-"))).toHaveLength(1);
    });
    await first.stop("SIGKILL");
    expect(await Promise.all(lost)).toEqual(["cut", "cut"]);

    await query(url, "update subscriptions set sender_until = 0");
    await second.post(`/runs/${id}/start`);
    expect((await second.ended(id)).status).toBe("completed");
    const types = (): unknown[] => received.map(({ body }) => (JSON.parse(body) as { type: string }).type);
    await eventually(() => expect(types()).toContain("task.completed"));
    expect(new Set(received.map(({ id: delivery }) => delivery)).size).toBe(received.length);
    for (const { body, signature } of received) {
      const at = Number(/t=(\d+)/.exec(signature)?.[1]) * 1000;
      expect(signature).toBe(sign(webhook.secret, body, at));
    }

    // Not yet: whoever put them might still record them.
    proxy.fault = () => undefined;
    first = await startHub("again", proxy.endpoint);
    expect(await objects()).toHaveLength(2);
    await first.stop();
    await query(url, "update blob_marks set expires_at = 0");
    makeOld(buckets, "tmp-");
    first = await startHub("later", proxy.endpoint);
    await eventually(async () => expect(await objects()).toEqual([]));
    // Marks go after what they mark.
    await eventually(async () => expect(await query(url, "select * from blob_marks")).toEqual([]));
  });
});

/** Brings a request to the server, and never answers it. */
function forwardOnly(target: string, incoming: IncomingMessage, done: () => void): void {
  const onward = request(target + incoming.url, { method: incoming.method, headers: incoming.headers });
  onward.on("response", (reply) => reply.resume().once("end", done));
  onward.on("error", () => undefined);
  incoming.on("error", () => undefined).pipe(onward);
}

/** Two days ago, for what lies below folders or files whose names begin so. */
function makeOld(folder: string, prefix: string): void {
  const old = new Date(Date.now() - 2 * 86_400_000);
  for (const entry of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    if (entry.split("/").some((name) => name.startsWith(prefix))) utimesSync(join(folder, entry), old, old);
}
