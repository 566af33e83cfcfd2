// A port of this machine's loopback on which nobody listens.
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
