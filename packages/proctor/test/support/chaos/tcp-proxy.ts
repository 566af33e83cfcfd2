// Stands between a process and what it is connected to, and cuts, delays or leads elsewhere what passes through it.
import { connect, createServer, type Socket } from "node:net";

interface Target {
  host: string;
  port: number;
}

export interface TcpProxy {
  port: number;
  /** Breaks every connection; new ones are let through. */
  cut: () => void;
  /** From now on nothing passes through the connections that are open, and nobody is told; new ones are let through. */
  silence: () => void;
  /** Leads new connections elsewhere. */
  lead: (target: Target) => void;
  /** From now on everything arrives this many milliseconds later, in both directions; 0 ends it. */
  delay: (ms: number) => void;
  close: () => Promise<void>;
}

export async function openTcpProxy(first: Target): Promise<TcpProxy> {
  const open = new Set<Socket>();
  const silent = new WeakSet<Socket>();
  let target = first;
  let delayMs = 0;

  /** In order, also when the delay changes: what waits holds back what comes after it. */
  function pass(from: Socket, to: Socket): void {
    let before = Promise.resolve();
    from.on("data", (bytes: Buffer) => {
      if (silent.has(from)) return;
      if (delayMs === 0) return void before.then(() => to.write(bytes));
      const due = new Promise((resolve) => setTimeout(resolve, delayMs));
      before = before.then(() => due).then(() => void to.write(bytes));
    });
    from.on("end", () => void before.then(() => to.end()));
  }

  const server = createServer({ allowHalfOpen: true }, (incoming) => {
    const outgoing = connect({ ...target, allowHalfOpen: true });
    for (const socket of [incoming, outgoing]) {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        open.delete(socket);
        incoming.destroy();
        outgoing.destroy();
      });
    }
    pass(incoming, outgoing);
    pass(outgoing, incoming);
  });
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: address !== null && typeof address === "object" ? address.port : 0,
    cut,
    silence() {
      for (const socket of open) silent.add(socket);
    },
    lead(next) {
      target = next;
    },
    delay: (ms) => void (delayMs = ms),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}
