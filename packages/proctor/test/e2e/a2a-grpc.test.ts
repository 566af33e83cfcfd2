// A2A over gRPC at the built hub, with the official client, which knows nothing but an agent's card.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SendMessageRequest, type Task } from "@a2a-js/sdk";
import { ClientFactory } from "@a2a-js/sdk/client";
import { GrpcTransportFactory } from "@a2a-js/sdk/client/grpc";
import { credentials } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HANG_MS } from "../support/eventually.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Answers with its name, and with a file that is too large for a document. */
const AGENT = `
let text = "";
for await (const chunk of process.stdin) text += chunk;
const { task_id } = JSON.parse(text);
const artifacts = [
  { type: "file", path: "name.txt", content: process.argv[2] },
  { type: "file", path: "large.txt", content: "x".repeat(1024 * 1024 + 1) },
];
console.log(JSON.stringify({ version: "1.0", task_id, status: "completed", artifacts, metrics: {} }));
`;

const folder = temporaryFolder("a2a-grpc");
let hub: HubProcess;

beforeAll(async () => {
  const program = join(folder, "agent.mjs");
  writeFileSync(program, AGENT);
  hub = await startHubProcess({ folder, args: ["--grpc-port", "0", "--default-agent", "first"] });
  for (const name of ["first", "second"]) {
    const command = [process.execPath, program, name];
    await hub.post("/agents", { name, protocol: "atp", transport: "stdio", command });
  }
}, HANG_MS);
afterAll(() => hub.stop("SIGKILL"));

function connect(
  agent: string,
  legacyCompat = { enabled: false },
): ReturnType<ClientFactory["createFromUrl"]> {
  const transport = new GrpcTransportFactory({
    grpcChannelCredentials: credentials.createInsecure(),
    legacyCompat,
  });
  const card = `${hub.url}/a2a/${agent}/.well-known/agent-card.json`;
  return new ClientFactory({ transports: [transport] }).createFromUrl(card, "");
}

const request = SendMessageRequest.fromJSON({
  message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "Who are you?" }] },
});

describe("the official gRPC client that has an agent's card", { timeout: HANG_MS }, () => {
  it.each(["first", "second"])("reaches that agent: %s", async (name) => {
    const task = (await (await connect(name)).sendMessage(request)) as Task;
    const [said, large] = task.artifacts.map(({ parts }) => parts[0]?.content);
    expect(said).toEqual({ $case: "text", value: name });
    // What is too large is fetched over HTTP, where the hub has it.
    expect(large?.$case).toBe("url");
    const fetched = await fetch(String(large?.value));
    expect((await fetched.text()).length).toBe(1024 * 1024 + 1);
  });
});

describe("the card of a hub's agent over gRPC", { timeout: HANG_MS }, () => {
  it("offers 0.3, which has no word for an agent, for the default agent alone", async () => {
    const versions = async (agent: string) => {
      const card = await hub.send("GET", `/a2a/${agent}/.well-known/agent-card.json`, {
        headers: { "a2a-version": "1.0" },
      });
      const { supportedInterfaces } = (await card.json()) as {
        supportedInterfaces: Record<string, string>[];
      };
      return supportedInterfaces
        .filter(({ protocolBinding }) => protocolBinding === "GRPC")
        .map(({ protocolVersion }) => protocolVersion);
    };
    expect([await versions("first"), await versions("second")]).toEqual([["1.0", "0.3"], ["1.0"]]);
  });

  it("names another address where a proxy is configured, and none that is not encrypted to those who are", async () => {
    const headers = { "x-forwarded-proto": "https", "x-forwarded-host": "hub.example" };
    const card = await hub.send("GET", "/a2a/first/.well-known/agent-card.json", { headers });
    expect(JSON.stringify(await card.json())).not.toContain("GRPC");
  });
});
