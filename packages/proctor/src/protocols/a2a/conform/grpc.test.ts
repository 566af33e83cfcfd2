// Agents over gRPC, on grpc-js: a good one, and one for each rule about gRPC that breaks it.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Metadata, status, type sendUnaryData, type ServerUnaryCall } from "@grpc/grpc-js";
import { expect, it } from "vitest";
import { servePeer } from "../../../../test/support/a2a/grpc-js-peer.ts";
import { HANG_MS } from "../../../../test/support/eventually.ts";
import { a2aConformance } from "./conformance.ts";

type Message = Record<string, unknown>;
type Refuse = (reason: string, usual: status) => { code: status; metadata?: Metadata };

const TASK = { id: "t-1", context_id: "c-1", status: { state: "TASK_STATE_COMPLETED" } };
const RULES = ["a2a.grpc.status", "a2a.grpc.info"];

/** A field of protobuf that has bytes. */
function field(number: number, content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.of((number << 3) | 2, bytes.length), bytes]);
}

/** The trailer with a google.rpc.Status whose only detail is an ErrorInfo. */
function infoOf(code: status, reason: string): Metadata {
  const info = Buffer.concat([field(1, reason), field(2, "a2a-protocol.org")]);
  const any = Buffer.concat([field(1, "type.googleapis.com/google.rpc.ErrorInfo"), field(2, info)]);
  const metadata = new Metadata();
  metadata.set("grpc-status-details-bin", Buffer.concat([Buffer.of(1 << 3, code), field(3, any)]));
  return metadata;
}

async function outcomesFor(refuse: Refuse): Promise<Record<string, string>> {
  const fail = (done: sendUnaryData<Message>, reason: string, usual: status): void => {
    const { code, metadata = new Metadata() } = refuse(reason, usual);
    done({ code, details: reason, metadata, name: "Error", message: reason });
  };
  const peer = await servePeer({
    "1.0": {
      SendMessage: (_call: ServerUnaryCall<Message, Message>, done: sendUnaryData<Message>) =>
        done(null, { task: TASK }),
      GetTask: (_call: ServerUnaryCall<Message, Message>, done: sendUnaryData<Message>) =>
        fail(done, "TASK_NOT_FOUND", status.NOT_FOUND),
      CancelTask: (_call: ServerUnaryCall<Message, Message>, done: sendUnaryData<Message>) =>
        fail(done, "TASK_NOT_CANCELABLE", status.FAILED_PRECONDITION),
    },
  });
  const spoken = { url: peer.url.replace("grpc://", ""), protocolBinding: "GRPC", protocolVersion: "1.0" };
  const card = {
    name: "gRPC alone",
    description: "Speaks gRPC alone.",
    version: "1.0.0",
    supportedInterfaces: [spoken],
    capabilities: {},
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [],
  };
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(card));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server on a port has an address of this kind.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { signal } = new AbortController();
  const agent = { protocol: "a2a", transport: "http", url };
  const outcomes: Record<string, string> = {};
  for await (const { rule, outcome } of a2aConformance.check(agent, {
    timeoutMs: HANG_MS,
    signal,
    only: RULES,
  }))
    outcomes[rule.id] = outcome;
  server.close();
  server.closeAllConnections();
  peer.close();
  return outcomes;
}

it.each<[string, Refuse, Record<string, string>]>([
  [
    "keeps the rules about its errors",
    (reason, code) => ({ code, metadata: infoOf(code, reason) }),
    { "a2a.grpc.status": "pass", "a2a.grpc.info": "pass" },
  ],
  [
    "is found by a2a.grpc.status alone when its errors have another status",
    (reason) => ({ code: status.ABORTED, metadata: infoOf(status.ABORTED, reason) }),
    { "a2a.grpc.status": "fail", "a2a.grpc.info": "pass" },
  ],
  [
    "is found by a2a.grpc.info alone when its errors have no ErrorInfo",
    (_reason, code) => ({ code }),
    { "a2a.grpc.status": "pass", "a2a.grpc.info": "fail" },
  ],
])("an A2A agent over gRPC %s", async (_what, refuse, expected) => {
  expect(await outcomesFor(refuse)).toEqual(expected);
});
