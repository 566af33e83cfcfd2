// The codec of each version.
import type { A2aCodec } from "./codec.ts";
import type { A2aVersion } from "./service.ts";
import { v03 } from "./v0_3/codec.ts";
import { v1 } from "./v1/codec.ts";

const CODECS: Readonly<Record<A2aVersion, A2aCodec>> = { "1.0": v1, "0.3": v03 };

export function codecOf(version: A2aVersion): A2aCodec {
  return CODECS[version];
}
