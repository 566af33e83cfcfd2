// What the card of a scripted agent says of where it is reached.
import { describe, expect, it } from "vitest";
import { codecs } from "../../cli/compose/start-scripted-agent.ts";
import type { A2aCall } from "../../protocols/a2a/service.ts";
import { assembleAgent } from "./assemble-agent.ts";

const CALL: A2aCall = {
  version: "1.0",
  binding: "HTTP+JSON",
  headers: {},
  extensions: [],
  origin: "http://127.0.0.1:1",
  basePath: "",
  traceId: "0".repeat(32),
  signal: new AbortController().signal,
};

describe("the card of a scripted agent", () => {
  it("lists gRPC from the moment on at which that is served, however early somebody asked before", async () => {
    let grpc: string | undefined;
    const agent = assembleAgent({
      codecs,
      serve: () => ({ fetch: () => Promise.resolve(new Response()), close: () => undefined }),
      grpc: () => grpc,
    });
    const bindings = async (): Promise<Set<string>> => {
      const { supportedInterfaces } = await agent.services.main.card(CALL);
      return new Set(supportedInterfaces.map(({ protocolBinding }) => protocolBinding));
    };
    expect([...(await bindings())]).toEqual(["JSONRPC", "HTTP+JSON"]);
    grpc = "127.0.0.1:2";
    expect([...(await bindings())]).toEqual(["JSONRPC", "HTTP+JSON", "GRPC"]);
  });
});
