// The registry over gRPC, asked by another implementation (grpc-js and protobufjs), which knows nothing of our code.
import { fileURLToPath } from "node:url";
import {
  credentials,
  loadPackageDefinition,
  Metadata,
  status,
  type Client,
  type ClientDuplexStream,
  type ClientReadableStream,
  type ServiceClientConstructor,
  type ServiceError,
} from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fromStruct, toStruct } from "../../../test/support/atp/grpc-peer.ts";
import { openTestRegistry, type TestRegistry } from "../../../test/support/test-registry.ts";
import { listenGrpc, type GrpcListening } from "../../channels/grpc/listen-grpc.ts";
import { OPERATOR, type Caller } from "../../core/caller.ts";
import { registryService } from "./registry-service.ts";

type Message = Record<string, unknown>;
type Answer = Message & { agent?: Message; items?: Message[]; matches?: { agent: Message }[] };

interface RegistryClient extends Client {
  [method: string]: unknown;
  HeartbeatStream(): ClientDuplexStream<Message, Answer>;
  Watch(request: Message): ClientReadableStream<Answer>;
}

const PROTO = fileURLToPath(new URL("../../../../../proto", import.meta.url));
const loaded = loadPackageDefinition(
  loadSync(["proctor/registry/v1/registry.proto", "grpc/health/v1/health.proto"], {
    includeDirs: [PROTO],
    keepCase: true,
    oneofs: true,
    enums: String,
    defaults: true,
  }),
) as unknown as {
  proctor: { registry: { v1: { Registry: ServiceClientConstructor } } };
  grpc: { health: { v1: { Health: ServiceClientConstructor } } };
};

let opened: TestRegistry;
let server: GrpcListening;
let client: RegistryClient;
let caller: Caller;

beforeEach(async () => {
  opened = await openTestRegistry();
  caller = OPERATOR;
  const routes = [registryService({ registry: opened.registry, callerOf: () => caller })];
  const onError = (problem: unknown) => opened.problems.push(problem);
  server = await listenGrpc({ host: "127.0.0.1", port: 0, routes, authorize: () => {}, onError });
  const { Registry } = loaded.proctor.registry.v1;
  client = new Registry(
    `127.0.0.1:${server.port}`,
    credentials.createInsecure(),
  ) as unknown as RegistryClient;
});
afterEach(async () => {
  client.close();
  await server.close(1000);
  expect(opened.problems).toEqual([]);
  await opened.close();
});

function ask(method: string, request: Message, peer: Client = client): Promise<Answer> {
  const call = (peer as unknown as RegistryClient)[method] as (
    request: Message,
    metadata: Metadata,
    done: (error: ServiceError | null, answer: Answer) => void,
  ) => void;
  return new Promise((resolve, reject) => {
    call.call(peer, request, new Metadata(), (error, answer) => (error ? reject(error) : resolve(answer)));
  });
}

const ADDER = {
  name: "adder",
  endpoint: "atp+http://127.0.0.1:9/x",
  version: "1.2.0",
  labels: { team: "maths" },
  stage: "testing",
  capabilities: [{ name: "sum", parameters: toStruct({ type: "object", required: ["numbers"] }) }],
  metadata: toStruct({ region: "eu" }),
};

/** A field of bytes, as protobuf writes it. */
function field(number: number, content: Buffer): Buffer {
  const length: number[] = [];
  for (let rest = content.length; rest > 0 || length.length === 0; rest >>>= 7) {
    length.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
  }
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), content]);
}

/** A `google.protobuf.Struct` that holds another, and so on. */
function nestedStruct(levels: number): Buffer {
  let struct: Buffer = Buffer.alloc(0);
  for (let level = 1; level < levels; level++) {
    struct = field(1, Buffer.concat([field(1, Buffer.from("not")), field(2, field(5, struct))]));
  }
  return struct;
}

describe("the registry over gRPC", () => {
  // No library of clients sends such messages: these are the bytes that one would.
  it.each([230, 10_000])("refuses an input that is nested %i levels deep", async (levels) => {
    const bytes = field(3, field(5, nestedStruct(levels)));
    const asked = new Promise((resolve, reject) => {
      const plain = (value: Buffer): Buffer => value;
      client.makeUnaryRequest(
        "/proctor.registry.v1.Registry/Search",
        plain,
        plain,
        bytes,
        (error: ServiceError | null, answer?: Buffer) => (error ? reject(error) : resolve(answer)),
      );
    });
    await expect(asked).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
    expect((await ask("List", {})).items).toEqual([]);
  });

  it("registers, reads, changes, lists and removes an agent", async () => {
    const registered = await ask("Register", { ...ADDER, interval_seconds: 10 });
    expect(registered).toMatchObject({ created: true, interval_seconds: 10, lease_seconds: 30 });
    const { agent } = await ask("Get", { name: "adder" });
    expect(agent).toMatchObject({
      name: "adder",
      address: "atp+http://127.0.0.1:9/x",
      kind: "leased",
      stage: "testing",
      labels: { team: "maths" },
      health: { state: "online", measured: { runs: 0 } },
    });
    const [capability] = (agent?.["capabilities"] ?? []) as { parameters: unknown }[];
    expect(fromStruct(capability?.parameters)).toEqual({ type: "object", required: ["numbers"] });
    const changed = await ask("Update", { name: "adder", stage: "retired" });
    expect(changed.agent).toMatchObject({ stage: "retired", version: "1.2.0" });
    expect(fromStruct(changed.agent?.["metadata"])).toEqual({ region: "eu" });
    expect((await ask("List", { labels: { team: "maths" } })).items).toHaveLength(1);
    expect((await ask("List", { stage: "testing" })).items).toEqual([]);
    await ask("Deregister", { name: "adder" });
    await expect(ask("Get", { name: "adder" })).rejects.toMatchObject({ code: status.NOT_FOUND });
  });

  it("takes beats one by one and as a stream, and answers each with commands", async () => {
    const { instance } = await ask("Register", ADDER);
    const load = toStruct({ active: 1, capacity: 4 });
    expect(await ask("Heartbeat", { name: "adder", instance, load, sequence: 1 })).toMatchObject({
      state: "online",
      commands: [],
    });
    await opened.registry.command("adder", "drain");
    const stream = client.HeartbeatStream();
    const answers: Answer[] = [];
    const ended = new Promise((resolve, reject) => stream.on("end", resolve).on("error", reject));
    stream.on("data", (answer: Answer) => {
      answers.push(answer);
      if (answers.length === 2) stream.end();
    });
    stream.write({ beat: { name: "adder", instance, sequence: 2 } });
    stream.write({ beat: { name: "adder", instance, sequence: 3, health: "warm" } });
    await ended;
    expect(answers).toMatchObject([
      { answer: { state: "draining", commands: ["drain"] } },
      { answer: { state: "draining" } },
    ]);
    expect((await opened.registry.get("adder")).health).toMatchObject({
      load: { active: 1, capacity: 4 },
      trouble: "warm",
    });
  });

  it("finds who takes an input, and says why others do not", async () => {
    await ask("Register", ADDER);
    const input = (value: object) => ({ structValue: toStruct(value as never) });
    const found = await ask("Search", { capability: "sum", input: input({ numbers: [1] }) });
    expect(found.matches?.map(({ agent }) => agent["name"])).toEqual(["adder"]);
    const none = await ask("Search", { capability: "sum", input: input({}) });
    expect(none).toMatchObject({ total: 0, rejected: [{ agent: "adder" }] });
  });

  it("shows a watcher what happens", async () => {
    await ask("Register", ADDER);
    const call = client.Watch({});
    const seen: string[] = [];
    await new Promise<void>((resolve) => {
      call.on("error", () => resolve());
      call.on("data", ({ type }: { type: string }) => {
        seen.push(type);
        if (seen.length === 1) void ask("Deregister", { name: "adder" });
        else call.cancel();
      });
    });
    expect(seen).toEqual(["registered", "removed"]);
  });

  it.each([
    ["Register", { name: "../x" }, status.INVALID_ARGUMENT, "INVALID_REQUEST"],
    ["Heartbeat", { name: "nobody" }, status.NOT_FOUND, "AGENT_NOT_FOUND"],
    ["Search", { version: "seven" }, status.INVALID_ARGUMENT, "INVALID_REQUEST"],
  ])("refuses a wrong %s as HTTP does", async (method, request, code, name) => {
    const refused = await ask(method, request).catch((error: unknown) => error as ServiceError);
    expect(refused).toMatchObject({ code });
    expect((refused as ServiceError).metadata.get("proctor-error-code")).toEqual([name]);
  });

  it("refuses callers without the scope, and an agent's token for another agent", async () => {
    await ask("Register", ADDER);
    caller = { name: "token:1", scopes: ["runs:read"] };
    for (const method of ["Register", "Heartbeat", "Get", "List", "Search", "Deregister", "Update"]) {
      await expect(ask(method, { name: "adder" }), method).rejects.toMatchObject({
        code: status.PERMISSION_DENIED,
      });
    }
    caller = { name: "token:2", scopes: ["agents:register"], binding: { kind: "agent", name: "other" } };
    await expect(ask("Heartbeat", { name: "adder" })).rejects.toMatchObject({
      code: status.PERMISSION_DENIED,
    });
  });

  it("says over grpc.health.v1 that it serves", async () => {
    const { Health } = loaded.grpc.health.v1;
    const peer = new Health(`127.0.0.1:${server.port}`, credentials.createInsecure());
    const answer = await ask("Check", { service: "proctor.registry.v1.Registry" }, peer);
    peer.close();
    expect(answer).toMatchObject({ status: "SERVING" });
  });
});
