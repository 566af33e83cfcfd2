// Stands before API servers, as a balancer does: each connection goes to the next one that takes it, and to another when that one is gone.
import { connect, createServer, type Socket } from "node:net";

export interface Balancer {
  url: string;
  close: () => Promise<void>;
}

/** `ports` are asked for at every connection: a server that was killed comes back on another port. */
export async function openBalancer(ports: () => readonly number[]): Promise<Balancer> {
  const open = new Set<Socket>();
  let turn = 0;

  function keep(socket: Socket): void {
    open.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => open.delete(socket));
  }

  /** Undefined when no server takes a connection now. */
  async function reach(): Promise<Socket | undefined> {
    const targets = ports();
    turn++;
    for (let step = 0; step < targets.length; step++) {
      const port = targets[(turn + step) % targets.length] ?? 0;
      const socket = connect({ host: "127.0.0.1", port });
      keep(socket);
      const isThere = await new Promise<boolean>((resolve) => {
        socket.once("connect", () => resolve(true));
        socket.once("close", () => resolve(false));
      });
      if (isThere) return socket;
    }
    return undefined;
  }

  async function lead(incoming: Socket): Promise<void> {
    const outgoing = await reach();
    if (outgoing === undefined) return void incoming.destroy();
    // Whichever side goes, the other is cut off at once: that is how the end of a killed server shows.
    incoming.on("close", () => outgoing.destroy());
    outgoing.on("close", () => incoming.destroy());
    incoming.pipe(outgoing).pipe(incoming);
  }

  const server = createServer({ pauseOnConnect: true }, (incoming) => {
    keep(incoming);
    void lead(incoming);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
