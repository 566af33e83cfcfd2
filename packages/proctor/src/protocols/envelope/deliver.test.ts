// Where envelopes may be brought: to public addresses, for agents that somebody registered, whatever their names mean at that moment.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Envelope } from "../../core/envelope.ts";
import { createConnectGuard } from "../../runtime/addresses/connect-guard.ts";
import type { LookupAll } from "../../runtime/addresses/guarded-lookup.ts";
import { createDeliver } from "./deliver.ts";

let server: Server;
let port: number;
let requests = 0;
beforeAll(async () => {
  server = createServer((_request, response) => {
    requests += 1;
    response.writeHead(204).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server on a port has an address with a port.
  ({ port } = server.address() as AddressInfo);
});
beforeEach(() => void (requests = 0));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const ENVELOPE: Envelope = {
  id: "1",
  from: "user:ada",
  to: "box",
  type: "request",
  action: "look",
  payload: null,
  trace: { traceId: "a".repeat(32), spanId: "b".repeat(16) },
  timestamp: 0,
};

/** Every name leads to this machine by now. */
const lookup: LookupAll = (_hostname, _options, callback) =>
  void setImmediate(() => callback(null, [{ address: "127.0.0.1", family: 4 }]));

function bring(host: string, { registered = true, hubHost = "0.0.0.0", allowHosts = [] as string[] } = {}) {
  const deliver = createDeliver(createConnectGuard({ hubHost, allowHosts, lookup }));
  const spec = { protocol: "envelope", transport: "http", url: `http://${host}:${port}/in` };
  return deliver({ spec, registered }, ENVELOPE, AbortSignal.timeout(60_000));
}

it("An envelope is not brought to a registered agent whose name leads to a private address by now", async () => {
  expect(await bring("agent.example")).toEqual({
    trouble: expect.stringContaining("not at a public address") as string,
    refused: false,
  });
  expect(await bring("127.0.0.1")).toMatchObject({
    trouble: expect.stringContaining("not a public address") as string,
  });
  expect(requests).toBe(0);
});

it("An envelope is brought to private addresses that the configuration allows, or that whoever runs the hub has named", async () => {
  const taken = { replies: [] };
  expect(await bring("127.0.0.1", { allowHosts: [`127.0.0.1:${port}`] })).toEqual(taken);
  expect(await bring("127.0.0.1", { registered: false })).toEqual(taken);
  expect(await bring("127.0.0.1", { hubHost: "127.0.0.1" })).toEqual(taken);
  expect(requests).toBe(3);
});
