// Stands between a process and its database or its hub, and cuts what passes through it.
import { connect, createServer, type Socket } from "node:net";

interface Target {
  host: string;
  port: number;
}

export interface TcpProxy {
  port: number;
  /** Breaks every connection; new ones are let through. */
  cut: () => void;
  /** Leads new connections elsewhere. */
  lead: (target: Target) => void;
  close: () => Promise<void>;
}

export async function openTcpProxy(first: Target): Promise<TcpProxy> {
  const open = new Set<Socket>();
  let target = first;
  const server = createServer((incoming) => {
    const outgoing = connect(target);
    for (const socket of [incoming, outgoing]) {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        open.delete(socket);
        incoming.destroy();
        outgoing.destroy();
      });
    }
    incoming.pipe(outgoing).pipe(incoming);
  });
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: address !== null && typeof address === "object" ? address.port : 0,
    cut,
    lead(next) {
      target = next;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}
