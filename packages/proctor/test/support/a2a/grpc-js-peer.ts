// An independent implementation of gRPC (grpc-js and protobufjs, which know nothing of our code) as the other side of A2A: an agent, and a
// client.
import { fileURLToPath } from "node:url";
import {
  credentials,
  loadPackageDefinition,
  Metadata,
  Server,
  ServerCredentials,
  type Client,
  type ClientReadableStream,
  type ServiceClientConstructor,
  type ServiceError,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import type { A2aVersion } from "../../../src/protocols/a2a/service.ts";

const PROTO = fileURLToPath(new URL("../../../../../proto", import.meta.url));
const PACKAGES: Readonly<Record<A2aVersion, { file: string; name: string }>> = {
  "1.0": { file: "lf/a2a/v1/a2a.proto", name: "lf.a2a.v1" },
  "0.3": { file: "a2a/v1/a2a.proto", name: "a2a.v1" },
};

type PeerMessage = Record<string, unknown>;
type Unary = (
  request: PeerMessage,
  metadata: Metadata,
  done: (error: ServiceError | null, response?: PeerMessage) => void,
) => unknown;
type Streaming = (request: PeerMessage, metadata: Metadata) => ClientReadableStream<PeerMessage>;

function serviceOf(version: A2aVersion): ServiceClientConstructor {
  const { file, name } = PACKAGES[version];
  const loaded = loadPackageDefinition(
    loadSync(file, { includeDirs: [PROTO], longs: Number, oneofs: true, enums: String }),
  );
  const found = `${name}.A2AService`
    .split(".")
    .reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], loaded);
  return found as ServiceClientConstructor;
}

/** An agent. Methods that are not given are UNIMPLEMENTED. */
export async function servePeer(
  services: Partial<Record<A2aVersion, UntypedServiceImplementation>>,
  shown?: ServerCredentials,
): Promise<{ url: string; close: () => void }> {
  const server = new Server();
  for (const [version, handlers] of Object.entries(services) as [A2aVersion, UntypedServiceImplementation][])
    server.addService(serviceOf(version).service, handlers);
  return listenPeer(server, shown);
}

/** In the clear, unless there are credentials to show. */
export async function listenPeer(
  server: Server,
  shown?: ServerCredentials,
): Promise<{ url: string; close: () => void }> {
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", shown ?? ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { url: `grpc${shown ? "s" : ""}://127.0.0.1:${port}`, close: () => server.forceShutdown() };
}

export interface PeerClient {
  call(method: string, request: PeerMessage, metadata?: Record<string, string>): Promise<PeerMessage>;
  stream(method: string, request: PeerMessage, metadata?: Record<string, string>): Promise<PeerMessage[]>;
  close(): void;
}

export function peerClient(url: string, version: A2aVersion): PeerClient {
  const Constructor = serviceOf(version);
  const client: Client = new Constructor(url.replace("grpc://", ""), credentials.createInsecure());
  // The methods are those of the .proto file.
  const unary = client as unknown as Record<string, Unary>;
  const streaming = client as unknown as Record<string, Streaming>;
  return {
    call: (method, request, metadata) =>
      new Promise((resolve, reject) => {
        unary[method]?.call(client, request, metadataOf(metadata), (error, response = {}) =>
          error ? reject(error) : resolve(response),
        );
      }),
    stream: (method, request, metadata) =>
      new Promise((resolve, reject) => {
        const messages: PeerMessage[] = [];
        const call = streaming[method]?.call(client, request, metadataOf(metadata));
        call?.on("data", (message: PeerMessage) => messages.push(message));
        call?.on("error", reject);
        call?.on("end", () => resolve(messages));
      }),
    close: () => client.close(),
  };
}

function metadataOf(entries: Record<string, string> = {}): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(entries)) metadata.set(name, value);
  return metadata;
}
