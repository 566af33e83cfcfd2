// The gRPC port asks the same authority, method by method: ATP's service, and A2A's in both versions.
import * as grpc from "@grpc/grpc-js";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openGrpcClient, type AgentClient } from "./support/atp-clients.ts";
import { peerClient, type PeerClient } from "./support/a2a/grpc-js-peer.ts";
import { serveHub, type RunningHub } from "./support/serve-hub.ts";

const SILENT = fileURLToPath(new URL("fixtures/agents/silent.mjs", import.meta.url));
const REQUEST = {
  version: "1.0",
  task_id: "0190c3a4-0000-7000-8000-000000000001",
  task: { description: "x" },
};
const { status } = grpc;

let hub: RunningHub;
let atp: AgentClient;
let peers: PeerClient[];

beforeAll(async () => {
  hub = await serveHub();
  for (const name of ["silent", "other"])
    await hub.send("PUT", `/agents/${name}`, {
      token: hub.operator,
      json: { address: `atp+stdio:${process.execPath} ${SILENT}` },
    });
  atp = openGrpcClient(hub.grpcUrl);
  peers = [peerClient(hub.grpcUrl, "1.0"), peerClient(hub.grpcUrl, "0.3")];
});
afterAll(() => {
  atp.close();
  for (const peer of peers) peer.close();
});

function metadata(token?: string, agent = "silent"): grpc.Metadata {
  const made = new grpc.Metadata();
  made.set("atp-agent", agent);
  if (token !== undefined) made.set("authorization", `Bearer ${token}`);
  return made;
}

const cancel = (token?: string, agent?: string): Promise<number> =>
  new Promise((resolve) => {
    atp.Cancel({ task_id: "none" }, metadata(token, agent), (error) => resolve(error?.code ?? status.OK));
  });

const ask = async (peer: PeerClient, method: string, token?: string, agent = "silent"): Promise<number> => {
  const entries = {
    "proctor-agent": agent,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  try {
    await peer.call(method, { id: "none", name: "tasks/none" }, entries);
    return status.OK;
  } catch (error) {
    return (error as grpc.ServiceError).code;
  }
};

describe("a call over gRPC", () => {
  it("of ATP needs a token with runs:write, for that agent", async () => {
    const { secret: reads } = await hub.issue({ scopes: ["runs:read"] });
    const { secret: writes } = await hub.issue({ scopes: ["runs:write"] });
    const { secret: bound } = await hub.issue({
      scopes: ["runs:write"],
      binding: { kind: "agent", name: "silent" },
    });
    expect(await cancel()).toBe(status.UNAUTHENTICATED);
    expect(await cancel("hub_api_nonsense")).toBe(status.UNAUTHENTICATED);
    expect(await cancel(reads)).toBe(status.PERMISSION_DENIED);
    expect(await cancel(writes)).toBe(status.NOT_FOUND);
    expect(await cancel(bound)).toBe(status.NOT_FOUND);
    expect(await cancel(bound, "other")).toBe(status.PERMISSION_DENIED);
  });

  it("of A2A needs the scope of its method, for that agent, in both versions", async () => {
    const { secret: reads } = await hub.issue({ scopes: ["runs:read"] });
    const { secret: writes } = await hub.issue({ scopes: ["runs:write"] });
    const { secret: bound } = await hub.issue({
      scopes: ["runs:*"],
      binding: { kind: "agent", name: "silent" },
    });
    for (const peer of peers) {
      expect(await ask(peer, "GetTask")).toBe(status.UNAUTHENTICATED);
      expect(await ask(peer, "GetTask", writes)).toBe(status.PERMISSION_DENIED);
      expect(await ask(peer, "GetTask", reads)).toBe(status.NOT_FOUND);
      expect(await ask(peer, "CancelTask", reads)).toBe(status.PERMISSION_DENIED);
      expect(await ask(peer, "CancelTask", writes)).toBe(status.NOT_FOUND);
      expect(await ask(peer, "GetTask", bound)).toBe(status.NOT_FOUND);
      expect(await ask(peer, "GetTask", bound, "other")).toBe(status.PERMISSION_DENIED);
    }
  });

  it("ends when its token is revoked", async () => {
    const { secret, token } = await hub.issue({ scopes: ["runs:write"] });
    const call = atp.ExecuteStream(REQUEST, metadata(secret));
    const ended = new Promise<number>((resolve) => {
      call.on("error", (error: grpc.ServiceError) => resolve(error.code)).on("end", () => resolve(status.OK));
    });
    call.on("data", () => undefined);
    await expect
      .poll(async () => {
        const page = await hub.send("GET", "/runs?status=running", { token: hub.operator });
        return ((await page.json()) as { items: unknown[] }).items.length;
      })
      .toBe(1);
    await hub.tokens.revoke(token.id);
    expect(await ended).not.toBe(status.OK);
  });
});
