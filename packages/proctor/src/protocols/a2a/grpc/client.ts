// A service that is elsewhere, over gRPC. How to reach it is said by an interface of its card, or by an agent's address.
import type { WireProblem } from "../codec.ts";
import { A2aError } from "../errors.ts";
import type { A2aService } from "../service.ts";
import { createWireService, type Wire } from "../client/wire-service.ts";
import { v1 } from "../v1/codec.ts";
import { protoJson03 } from "./proto-json-0_3.ts";
import { createGrpcWire, type GrpcWireOptions } from "./wire.ts";

export interface GrpcBindingOptions extends Omit<GrpcWireOptions, "url"> {
  /** Address as `grpc://host:port`, `grpcs://host:port` over TLS, or `host:port` without TLS. */
  url: string;
  /** `tenant` of the agent's interface, which every request echoes. Version 0.3 has no place for it. */
  tenant?: string;
  /** Called with what an agent got wrong in a message that was still usable. */
  onProblem?: (problem: WireProblem) => void;
  /** Wraps the wire to see messages before they are decoded. */
  tap?: (wire: Wire) => Wire;
}

/** Throws an A2aError for an address that is not one of gRPC. */
export function createGrpcBinding(options: GrpcBindingOptions): A2aService {
  const { version, tenant, onProblem, tap } = options;
  const wire = createGrpcWire({ ...options, url: grpcAddress(options.url) });
  return createWireService({
    wire: tap?.(wire) ?? wire,
    codec: version === "1.0" ? v1 : protoJson03,
    ...(tenant !== undefined && version === "1.0" && { tenant }),
    ...(onProblem && { onProblem }),
  });
}

/** Accepts `http:` and `https:`, which cards of 0.3 may have. */
function grpcAddress(url: string): URL {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(url)
    ? url.replace(/^http(s?):/i, "grpc$1:")
    : `grpc://${url}`;
  const parsed = URL.canParse(whole) ? new URL(whole) : undefined;
  if (parsed && /^grpcs?:$/.test(parsed.protocol) && parsed.host !== "") return parsed;
  throw new A2aError(
    "INVALID_PARAMS",
    "the agent's address over gRPC is none of host:port, grpc://host:port and grpcs://host:port",
  );
}
