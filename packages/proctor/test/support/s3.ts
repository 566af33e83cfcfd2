// A real S3-compatible server for tests, and a proxy before it that fails on demand.
import { once } from "node:events";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import S3rver from "s3rver";
import type { BucketOptions } from "../../src/stores/blobs/s3-bucket.ts";
import { systemClock } from "../../src/runtime/time/system-clock.ts";
import { afterEveryFile } from "./closing.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** What the proxy does to a request: answers with a status, cuts before the answer or in its middle, or never answers. */
export type Fault = { status: number; code?: string } | "cut" | "cut in the middle" | "silence" | Stand;

/** Answers in the place of the server. */
type Stand = (incoming: IncomingMessage, answer: ServerResponse) => void;

export interface FaultProxy {
  endpoint: string;
  /** Decides about each request; undefined lets it pass. */
  fault: (request: IncomingMessage) => Fault | undefined;
  /** Method and path of all requests. */
  seen: string[];
}

export const BUCKET = "proctor";
/** The keys that s3rver knows. */
export const S3_KEYS = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };

const closes: (() => Promise<unknown>)[] = [];
afterEveryFile(async () => {
  for (const close of closes.splice(0)) await close();
});

/** Starts a server with an empty bucket, which keeps its objects in the folder; it ends with the test file. Returns its address. */
export async function startS3(directory = join(temporaryFolder("s3"), "buckets")): Promise<string> {
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    directory,
    silent: true,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  closes.push(() => server.close());
  return `http://127.0.0.1:${port}`;
}

export function bucketOptions(endpoint: string): BucketOptions {
  // No delays between attempts: they are not what is tested.
  return { bucket: BUCKET, endpoint, region: "us-east-1", ...S3_KEYS, clock: systemClock, random: () => 0 };
}

export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const proxy: FaultProxy = { endpoint: "", fault: () => undefined, seen: [] };
  const server = createServer((incoming, answer) => {
    proxy.seen.push(`${incoming.method} ${incoming.url}`);
    const fault = proxy.fault(incoming);
    if (fault === "cut") return void incoming.socket.destroy();
    if (fault === "silence") return void incoming.resume();
    if (typeof fault === "function") return fault(incoming, answer);
    if (typeof fault === "object") return refuse(incoming, answer, fault);
    pass(target, incoming, answer, fault === "cut in the middle");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  proxy.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  closes.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return proxy;
}

function refuse(
  incoming: IncomingMessage,
  answer: ServerResponse,
  { status, code }: { status: number; code?: string },
): void {
  incoming.resume().once("end", () => {
    const body = code === undefined ? "" : `<Error><Code>${code}</Code><Message>x</Message></Error>`;
    answer.writeHead(status, { "content-type": "application/xml" }).end(body);
  });
}

function pass(target: string, incoming: IncomingMessage, answer: ServerResponse, cut: boolean): void {
  // The host header stays: it is part of the signature.
  const onward = request(target + incoming.url, { method: incoming.method, headers: incoming.headers });
  onward.on("error", () => incoming.socket.destroy());
  onward.on("response", (reply) => {
    answer.writeHead(reply.statusCode ?? 500, reply.headers);
    if (!cut) return void reply.pipe(answer);
    reply.once("data", (chunk: Buffer) => {
      answer.write(chunk.subarray(0, Math.ceil(chunk.length / 2)), () => incoming.socket.destroy());
      reply.destroy();
    });
  });
  incoming.pipe(onward);
}
