// Uploads of 50 MB to the task API: how much the hub's memory grows, and how fast they are against a bare node:http that hashes and
// writes the same bytes. Both have them on disk before they answer.
import { once } from "node:events";
import { connect } from "node:net";
import { inTurns, median, secondsOf, type Result } from "./measure.ts";
import { residentMb, startBare, startHub, type Server } from "./processes.ts";

const FILE_BYTES = 52_428_800;
const ROUNDS = 5;
/** Number of fresh hubs. Only the first upload of a process shows the growth, because later ones reuse its memory. */
const FRESH = 5;
/** Number of small uploads before the measured one; they are few and small, because their memory is reused as well. */
const WARM_UPS = 3;
const WARM_UP_BYTES = 1024 * 1024;
const BOUNDARY = "bench-boundary";

type Send = (sizeBytes?: number) => Promise<void>;

export async function bench(): Promise<Result[]> {
  const file = Buffer.alloc(FILE_BYTES, "The agent has read the next of the reports.\n");
  return [await memory(file), await throughput(file)];
}

async function memory(file: Buffer): Promise<Result> {
  const ours: number[] = [];
  const bares: number[] = [];
  for (let round = 0; round < FRESH; round += 1) {
    await withServers(file, async ({ hub, bare, toHub, toBare }) => {
      ours.push(await firstGrowth(hub, toHub));
      bares.push(await firstGrowth(bare, toBare));
    });
  }
  return {
    name: "ap-upload-memory",
    what: `growth of the hub's resident memory during its first upload of 50 MB, median of ${FRESH} fresh hubs`,
    value: median(ours),
    bound: { atMost: 32 },
    unit: "MB",
    details: {
      "least MB": Math.min(...ours),
      "most MB": Math.max(...ours),
      "bare node:http MB": median(bares),
    },
  };
}

async function throughput(file: Buffer): Promise<Result> {
  let seconds = { bare: Number.NaN, ours: Number.NaN };
  await withServers(file, async ({ toHub, toBare }) => {
    seconds = await inTurns(
      ROUNDS,
      () => secondsOf(() => toBare()),
      () => secondsOf(() => toHub()),
    );
  });
  return {
    name: "ap-upload",
    what: "uploads of 50 MB on disk / a bare node:http that hashes and writes the bytes, on disk as well",
    value: seconds.bare / seconds.ours,
    bound: { atLeast: 0.5 },
    unit: "ratio",
    details: { "bare MB/s": 50 / seconds.bare, "ours MB/s": 50 / seconds.ours },
  };
}

async function withServers(
  file: Buffer,
  work: (servers: { hub: Server; bare: Server; toHub: Send; toBare: Send }) => Promise<void>,
): Promise<void> {
  const hub = await startHub({ concurrency: 0 });
  const bare = await startBare("./bare-upload.mjs");
  try {
    const path = await openStep(hub);
    let stamp = 0;
    await work({
      hub,
      bare,
      toHub(sizeBytes = FILE_BYTES) {
        // The bytes differ each time, because the hub stores equal bytes only once.
        file.writeUInt32LE(++stamp, 0);
        return send(hub.port, path, file.subarray(0, sizeBytes), true);
      },
      toBare: (sizeBytes = FILE_BYTES) => send(bare.port, "/", file.subarray(0, sizeBytes), false),
    });
  } finally {
    await bare.stop();
    await hub.stop();
  }
}

async function openStep({ port }: Server): Promise<string> {
  const tasks = `http://127.0.0.1:${port}/api/tasks`;
  const json = { method: "POST", headers: { "content-type": "application/json" } };
  const created = await fetch(tasks, { ...json, body: JSON.stringify({ task: "keep files" }) });
  const { agent } = (await created.json()) as { agent: { id: string } };
  const added = await fetch(`${tasks}/${agent.id}/steps`, json);
  const { step_id: step } = (await added.json()) as { step_id: string };
  return `/api/tasks/${agent.id}/steps/${step}/artifacts`;
}

/** Resolves with the growth in MB from before the upload to the peak during it. */
async function firstGrowth(server: Server, upload: Send): Promise<number> {
  for (let round = 0; round < WARM_UPS; round += 1) await upload(WARM_UP_BYTES);
  const before = residentMb(server.pid);
  let peak = before;
  const look = (): void => {
    peak = Math.max(peak, residentMb(server.pid));
  };
  const sampler = setInterval(look, 5);
  await upload();
  clearInterval(sampler);
  look();
  return peak - before;
}

/** Uploads a file that is in memory. It writes to a socket, because fetch would cost more than what is measured. */
async function send(port: number, path: string, file: Buffer, isForm: boolean): Promise<void> {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="report.txt"\r\nContent-Type: text/plain\r\n\r\n`;
  const parts = isForm ? [Buffer.from(head), file, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)] : [file];
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  const type = isForm ? `multipart/form-data; boundary=${BOUNDARY}` : "text/plain";
  const socket = connect(port, "127.0.0.1");
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${size}\r\n\r\n`,
  );
  for (const part of parts) socket.write(part);
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => (text += chunk));
  await once(socket, "close");
  if (!text.startsWith("HTTP/1.1 201")) throw new Error(`unexpected answer: ${text.slice(0, 400)}`);
}
