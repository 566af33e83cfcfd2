// One task's events to a thousand subscribers of /ws, from the commit on, against a bare `ws` broadcast in the same process.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { inTurns, secondsOf, type Result } from "./measure.ts";
import { TYPESCRIPT } from "./processes.ts";

const SERVER = fileURLToPath(new URL("./ap-ws-server.ts", import.meta.url));
const SUBSCRIBERS = 1000;
export const EVENTS = 100;
/** Number of events in one commit, and in one turn of the bare loop. With more, ours joins them in one write and beats the bare limit. */
export const BATCH = 1;

export interface LiveServer {
  taskId: string;
  app: number;
  bare: number;
}

export async function bench(): Promise<Result> {
  const child = spawn(process.execPath, [...TYPESCRIPT, SERVER], { stdio: ["pipe", "pipe", "inherit"] });
  const sockets: Socket[] = [];
  try {
    const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    const { taskId, app, bare } = JSON.parse(line) as LiveServer;
    const subscribe = JSON.stringify({ type: "subscribe", agentId: taskId });
    const audience = {
      // Each subscriber first gets two greetings, `connected` and `subscribed`.
      ours: await gather(sockets, app, "/ws", subscribe, 2),
      bare: await gather(sockets, bare, "/", "", 0),
    };
    const round = (who: keyof typeof audience) => () =>
      secondsOf(async () => {
        const all = audience[who](EVENTS * SUBSCRIBERS);
        child.stdin.write(`${who}\n`);
        await all;
      });
    const seconds = await inTurns(7, round("bare"), round("ours"));
    return {
      name: "ap-ws",
      what: `one task's events to ${SUBSCRIBERS} subscribers of /ws / a bare ws broadcast`,
      value: seconds.bare / seconds.ours,
      bound: { atLeast: 0.5 },
      unit: "ratio",
      details: {
        "bare/s": (EVENTS * SUBSCRIBERS) / seconds.bare,
        "ours/s": (EVENTS * SUBSCRIBERS) / seconds.ours,
      },
    };
  } finally {
    for (const socket of sockets) socket.destroy();
    child.kill("SIGKILL");
  }
}

/** Opens all subscribers. Returns a function that resolves when the given number of further frames has arrived, over all of them. */
async function gather(
  sockets: Socket[],
  port: number,
  path: string,
  hello: string,
  greetings: number,
): Promise<(frames: number) => Promise<void>> {
  let expected = SUBSCRIBERS * greetings;
  let arrived = (): void => undefined;
  const wait = (): Promise<void> =>
    expected === 0 ? Promise.resolve() : new Promise((resolve) => (arrived = resolve));
  const count = (frames: number): void => {
    expected -= frames;
    if (expected === 0) arrived();
  };
  for (let index = 0; index < SUBSCRIBERS; index += 1) sockets.push(await open(port, path, hello, count));
  await wait();
  return (frames) => {
    expected += frames;
    return wait();
  };
}

/** Opens a WebSocket that only counts frames: a real client would cost more than the server that is measured. */
async function open(
  port: number,
  path: string,
  hello: string,
  count: (frames: number) => void,
): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  const head = [
    `GET ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  let rest: Buffer = Buffer.alloc(0);
  let isOpen = false;
  await new Promise<void>((resolve, reject) => {
    socket.on("error", reject);
    socket.on("data", (chunk: Buffer) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      if (!isOpen) {
        const end = rest.indexOf("\r\n\r\n");
        if (end < 0) return;
        if (!rest.toString("latin1").startsWith("HTTP/1.1 101")) reject(new Error(rest.toString("latin1")));
        rest = rest.subarray(end + 4);
        isOpen = true;
        resolve();
      }
      const { frames, bytes } = wholeFrames(rest);
      rest = rest.subarray(bytes);
      if (frames > 0) count(frames);
    });
  });
  if (hello !== "") socket.write(clientFrame(hello));
  return socket;
}

/** Counts complete frames and their bytes. RFC 6455, section 5.2: a server's frames are not masked. */
function wholeFrames(data: Buffer): { frames: number; bytes: number } {
  let frames = 0;
  let bytes = 0;
  while (bytes + 4 <= data.length) {
    const short = (data[bytes + 1] ?? 0) & 127;
    const size = short < 126 ? 2 + short : 4 + data.readUInt16BE(bytes + 2);
    if (bytes + size > data.length) break;
    frames += 1;
    bytes += size;
  }
  return { frames, bytes };
}

/** Builds a short frame whose mask is zero, so that its bytes stay as they are. */
function clientFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
}
