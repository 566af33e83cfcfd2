import { describe, expect, it } from "vitest";
import type { HubPlaces } from "../../protocol.ts";
import { interfacesOf } from "./interfaces.ts";

const HTTP = { httpPort: 3001 };

function grpcOf(origin: string, places: HubPlaces | undefined, isDefault = false) {
  return interfacesOf({ origin, basePath: "/a2a/writer" }, { agent: "writer", isDefault, places }).filter(
    ({ protocolBinding }) => protocolBinding === "GRPC",
  );
}

describe("the interfaces of an agent's card", () => {
  it("name the gRPC port on the host that the client asked, and the agent as the tenant", () => {
    expect(grpcOf("http://hub.lan:3001", { ...HTTP, grpcPort: 50051 })).toEqual([
      { url: "hub.lan:50051", protocolBinding: "GRPC", protocolVersion: "1.0", tenant: "writer" },
    ]);
    expect(grpcOf("http://[::1]:3001", { ...HTTP, grpcPort: 50051 })[0]?.url).toBe("[::1]:50051");
  });

  it("name it for clients of 0.3, who cannot name an agent, only where they reach the right one", () => {
    const places = { ...HTTP, grpcPort: 50051 };
    expect(grpcOf("http://hub.lan:3001", places, true)).toEqual([
      { url: "hub.lan:50051", protocolBinding: "GRPC", protocolVersion: "1.0", tenant: "writer" },
      { url: "hub.lan:50051", protocolBinding: "GRPC", protocolVersion: "0.3" },
    ]);
  });

  it("do not lead a client that came over TLS to a port without it, unless an address is configured", () => {
    const places = { ...HTTP, grpcPort: 50051 };
    expect(grpcOf("https://hub.example", places)).toEqual([]);
    const configured = { ...places, grpcPublicAddress: "grpc.hub.example:443" };
    expect(grpcOf("https://hub.example", configured)[0]?.url).toBe("grpc.hub.example:443");
  });

  it("name no gRPC where its port is closed", () => {
    expect(grpcOf("http://hub.lan:3001", undefined)).toEqual([]);
    expect(grpcOf("http://hub.lan:3001", { ...HTTP, grpcPublicAddress: "a:1" })).toEqual([]);
  });
});
