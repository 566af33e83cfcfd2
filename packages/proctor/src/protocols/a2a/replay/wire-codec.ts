// The codec of what travels over a binding. That of gRPC in 0.3 is loaded when it is needed.
import type { A2aCodec } from "../codec.ts";
import { codecOf } from "../codecs.ts";
import type { A2aVersion } from "../service.ts";

export async function wireCodec(version: A2aVersion, binding: string): Promise<A2aCodec> {
  if (binding === "GRPC" && version === "0.3") return (await import("../grpc/proto-json-0_3.ts")).protoJson03;
  return codecOf(version, binding === "HTTP+JSON" ? binding : "JSONRPC");
}
