// The codec of each version.
import type { A2aCodec } from "./codec.ts";
import type { A2aVersion, Binding } from "./service.ts";
import { v03 } from "./v0_3/codec.ts";
import { v03Http } from "./v0_3/http-codec.ts";
import { v1 } from "./v1/codec.ts";

/** Version 0.3 has a JSON of its own in HTTP+JSON. */
export function codecOf(version: A2aVersion, binding: Binding = "JSONRPC"): A2aCodec {
  if (version === "1.0") return v1;
  return binding === "HTTP+JSON" ? v03Http : v03;
}
