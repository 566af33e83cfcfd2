// A card of A2A 1.0 whose mandatory fields all say something, and which has lists and flags that say nothing.
import type { JsonObject } from "../../../src/core/json.ts";

export const CARD: JsonObject = {
  name: "Writer",
  description: "Writes",
  version: "1.0.0",
  supportedInterfaces: [{ url: "https://a.example/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  capabilities: { streaming: false, extensions: [] },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "write", name: "Write", description: "Writes", tags: ["text"], examples: [] }],
};
