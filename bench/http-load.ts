// A load generator that costs little itself: keep-alive sockets, one request in flight on each, lengths read from headers.
import { connect, type Socket } from "node:net";

export interface Load {
  port: number;
  connections: number;
  requests: number;
  /** Returns the whole text of a request, by its index. */
  request: (index: number) => string;
  /** Text that each status line must contain. */
  expect: string;
}

/** Sends all requests of a load. Resolves when all are answered. */
export async function sendLoad(load: Load): Promise<void> {
  let next = 0;
  const take = (): number | undefined => (next < load.requests ? next++ : undefined);
  const sleep = stayAwake();
  await Promise.all(Array.from({ length: load.connections }, () => serve(load, take)));
  sleep();
}

/**
 * Keeps this process busy until the returned function is called. A client that sleeps between answers has to be woken by the server's
 * writes, and a slower server would pay for that more often.
 */
function stayAwake(): () => void {
  let awake = true;
  const poll = (): void => {
    if (awake) setImmediate(poll);
  };
  poll();
  return () => {
    awake = false;
  };
}

function serve(load: Load, take: () => number | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(load.port, "127.0.0.1");
    let pending = "";
    const send = (): void => {
      const index = take();
      if (index === undefined) socket.end(() => resolve());
      else socket.write(load.request(index));
    };
    socket.setNoDelay(true).setEncoding("latin1");
    socket.on("connect", send).on("error", reject);
    socket.on("data", (chunk: string) => {
      pending += chunk;
      const body = pending.indexOf("\r\n\r\n");
      if (body < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(pending.slice(0, body))?.[1]);
      if (Number.isNaN(length)) reject(new Error(`no content-length in ${pending.slice(0, body)}`));
      if (pending.length < body + 4 + length) return;
      if (!pending.slice(0, 20).includes(load.expect))
        reject(new Error(`unexpected answer: ${pending.slice(0, 400)}`));
      pending = "";
      send();
    });
  });
}

export function getRequest(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n\r\n`;
}
