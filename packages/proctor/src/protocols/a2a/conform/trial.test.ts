import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { expect, it } from "vitest";
import { HANG_MS } from "../../../../test/support/eventually.ts";
import { openTrial } from "./open-trial.ts";

it("an A2A agent under trial may close the connections that it had kept open", async () => {
  const used = new Set<Socket>();
  const server = createServer((request, response) => {
    if (used.has(request.socket)) return void request.socket.destroy();
    used.add(request.socket);
    response.end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server on a port has an address of this kind.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { signal } = new AbortController();
  const { trial } = openTrial({ protocol: "a2a", transport: "http", url }, { timeoutMs: HANG_MS, signal });
  for (let count = 0; count < 3; count++) {
    const { status, trouble } = await trial.raw({
      url: new URL(url),
      method: "POST",
      headers: {},
      body: "{}",
    });
    expect([status, trouble]).toEqual([200, undefined]);
  }
  await trial.close();
  server.close();
  server.closeAllConnections();
});
