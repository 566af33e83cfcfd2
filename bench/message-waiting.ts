// Memory of a hub on which 10,000 receivers wait for envelopes, each with a long poll of its own.
import { connect, type Socket } from "node:net";
import type { Result } from "./measure.ts";
import { residentMb, startHub } from "./processes.ts";

const RECEIVERS = 10_000;
const AT_ONCE = 200;

export async function bench(): Promise<Result> {
  const hub = await startHub({ concurrency: 0 });
  const sockets: Socket[] = [];
  try {
    const before = residentMb(hub.pid);
    for (let count = 0; count < RECEIVERS; count += AT_ONCE)
      sockets.push(
        ...(await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => wait(hub.port, count + i)))),
      );
    // The hub needs some seconds to accept all of them; only the memory that remains is measured.
    await new Promise((resolve) => setTimeout(resolve, 5000));
    const open = sockets.filter(({ destroyed }) => !destroyed).length;
    if (open < RECEIVERS) throw new Error(`only ${open} receivers wait`);
    return {
      name: "message-waiting",
      what: "memory of a hub on which 10,000 receivers wait by long poll",
      value: residentMb(hub.pid),
      bound: { atMost: 300 },
      unit: "MB",
      details: { "before MB": before, receivers: open },
    };
  } finally {
    for (const socket of sockets) socket.destroy();
    await hub.stop();
  }
}

function wait(port: number, index: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.write(`GET /messages?for=user:${index}&wait=60 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`, () => {
        socket.off("error", reject).on("error", () => undefined);
        resolve(socket);
      });
    });
  });
}
