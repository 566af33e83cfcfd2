// A program of its own, started in the network namespace of an environment: listens on 127.0.0.1 there and bridges each connection to a
// unix socket of the hub, which lies in the directory it is started in. Ends when its input does, and so never outlives the hub.
import { messageOf } from "../../core/message-of.ts";
import { connect, createServer, type AddressInfo } from "node:net";
import { joinSockets } from "./join-sockets.ts";

/** A port to listen on, 0 for any, and the name of the socket. */
type Listener = readonly [port: number, socket: string];

const MAX_CONNECTIONS = 64;
const IDLE_MS = 1_800_000;

function listen([port, path]: Listener): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (client) => {
    joinSockets(client, connect({ path, allowHalfOpen: true }), IDLE_MS);
  });
  server.maxConnections = MAX_CONNECTIONS;
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    // The server listens on a port, so the address is not a path.
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

process.stdin.on("error", () => process.exit()).on("close", () => process.exit());
process.stdin.resume();
try {
  // Written by start-bridge.ts.
  const listeners = JSON.parse(process.argv[2] ?? "[]") as Listener[];
  const ports = await Promise.all(listeners.map(listen));
  process.stdout.write(`${JSON.stringify(ports)}\n`);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
}
