// A unix socket whose connections lead to one port of this machine's loopback.
import { connect, createServer, type Server, type Socket } from "node:net";
import { joinSockets } from "./join-sockets.ts";

interface Relay {
  /** The server, which does not listen yet. */
  server: Server;
  /** Cuts the connections that are open. */
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 64;
/** Milliseconds without a byte after which a connection is closed; a model may think for a long time before it answers. */
const IDLE_MS = 1_800_000;

export function createRelay(port: number): Relay {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const target = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
    keep(client);
    keep(target);
    joinSockets(client, target, IDLE_MS);
  });
  server.maxConnections = MAX_CONNECTIONS;
  return {
    server,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      return closed;
    },
  };
}
