// The driver over gRPC and TLS, with a server that knows nothing of our code: whom it trusts, and what it shows of itself.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:tls";
import { ServerCredentials, type ServerWritableStream } from "@grpc/grpc-js";
import { afterEach, describe, expect, it } from "vitest";
import { json } from "../../../../test/support/a2a/client-calls.ts";
import { servePeer } from "../../../../test/support/a2a/grpc-js-peer.ts";
import { openSession } from "../../../../test/support/a2a/open-session.ts";
import { HANG_MS } from "../../../../test/support/eventually.ts";
import { serveHttps } from "../../../../test/support/http/servers.ts";
import { CERTIFICATE, PRIVATE_KEY } from "../../../../test/support/http/test-certificate.ts";
import type { JsonObject } from "../../../core/json.ts";

type Message = Record<string, unknown>;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const PAIR = [{ private_key: Buffer.from(PRIVATE_KEY), cert_chain: Buffer.from(CERTIFICATE) }];

/** An agent that completes whatever it is asked; `asksForCertificate`: only for clients who show who they are. */
async function serveAgent({ isPlain = false, asksForCertificate = false } = {}): Promise<string> {
  const shown = ServerCredentials.createSsl(Buffer.from(CERTIFICATE), PAIR, asksForCertificate);
  const agent = {
    SendStreamingMessage(call: ServerWritableStream<Message, Message>) {
      call.write({ task: { id: "1", contextId: "c", status: { state: "TASK_STATE_COMPLETED" } } });
      call.end();
    },
  };
  const { url, close } = await servePeer({ "1.0": agent }, isPlain ? undefined : shown);
  closers.push(close);
  return url;
}

const endOf = (url: string, options: JsonObject = {}) =>
  openSession({ protocol: "a2a", transport: new URL(url).protocol.slice(0, -1), url, options }).end();

describe("an agent over gRPC and TLS", { timeout: HANG_MS }, () => {
  it("is driven where its certificate is trusted, and told nothing where it is not", async () => {
    const url = await serveAgent();
    expect(await endOf(url, { tls: { ca: CERTIFICATE } })).toMatchObject({ status: "completed" });
    expect(await endOf(url)).toMatchObject({
      failure: { code: "TLS_FAILED", message: `${url} has a self-signed certificate` },
    });
  });

  it("is shown our certificate when it asks for one, by runs that have it and by no others", async () => {
    const url = await serveAgent({ asksForCertificate: true });
    const own = { ca: CERTIFICATE, cert: CERTIFICATE, private_key: PRIVATE_KEY };
    expect(await endOf(url, { tls: own })).toMatchObject({ status: "completed" });
    const nameless = await endOf(url, { tls: { ca: CERTIFICATE } });
    expect(nameless.failure?.code).toMatch(/TLS_FAILED|CONNECTION_LOST/);
  });

  it("that speaks no TLS, or not HTTP/2 over it, is a failure that says so", async () => {
    const plain = (await serveAgent({ isPlain: true })).replace("grpc:", "grpcs:");
    expect(await endOf(plain, { tls: { ca: CERTIFICATE } })).toMatchObject({
      failure: { code: "TLS_FAILED" },
    });
    const web = await serveHttps((_request, response) => json(response, {}));
    expect(await endOf(web.url.replace("https:", "grpcs:"), { tls: { ca: CERTIFICATE } })).toMatchObject({
      failure: { code: "TLS_FAILED" },
    });
    // A server that chooses no protocol at all.
    const server = createServer({ cert: CERTIFICATE, key: PRIVATE_KEY }, (socket) => socket.resume());
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    closers.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    expect(await endOf(`grpcs://127.0.0.1:${port}`, { tls: { ca: CERTIFICATE } })).toMatchObject({
      failure: { code: "TLS_FAILED", details: { reason: "NO_HTTP2" } },
    });
  });

  it("is found by a card that came over TLS and names a host and a port", async () => {
    const { host } = new URL(await serveAgent());
    const interfaces = [{ url: host, protocolBinding: "GRPC", protocolVersion: "1.0" }];
    const card = {
      name: "a",
      supportedInterfaces: interfaces,
      capabilities: { streaming: true },
      skills: [],
    };
    const { url } = await serveHttps((_request, response) => json(response, card));
    const options = { tls: { ca: CERTIFICATE }, allow_hosts: ["127.0.0.1"] };
    expect(await endOf(url, options)).toMatchObject({ status: "completed" });
  });
});
