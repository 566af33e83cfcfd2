// What a call over gRPC carries beside its request, as services get it: specification 1.0, section 10.2.
import type { HandlerContext } from "@connectrpc/connect";
import type { JsonObject } from "../../../core/json.ts";
import { originOf as originOfTrace } from "../../../core/trace.ts";
import { A2aError } from "../errors.ts";
import { EXTENSIONS_HEADER, readExtensions } from "../http/open-call.ts";
import { knownVersion, VERSION_HEADER } from "../http/read-version.ts";
import type { A2aCall, A2aVersion } from "../service.ts";

export interface GrpcCall {
  call: A2aCall;
  /** Throws VERSION_NOT_SUPPORTED where the metadata names another version than the service that was called. */
  check(versions: readonly A2aVersion[]): void;
  /** Tells the client which extensions are in use. */
  announce(extensions: readonly string[]): void;
  /** Ends the call: aborts its signal, and removes all listeners. */
  end(): void;
}

interface GrpcCallOptions {
  version: A2aVersion;
  originOf?: (called: URL) => string;
  stopping?: AbortSignal;
}

export function openGrpcCall(
  context: HandlerContext,
  { version, originOf = ({ origin }) => origin, stopping }: GrpcCallOptions,
): GrpcCall {
  const { requestHeader: headers, responseHeader } = context;
  const ending = new AbortController();
  const signals = [context.signal, ...(stopping ? [stopping] : [])];
  const end = (): void => {
    for (const signal of signals) signal.removeEventListener("abort", end);
    ending.abort();
  };
  for (const signal of signals) {
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
  }
  return {
    call: {
      version,
      binding: "GRPC",
      headers: Object.fromEntries(headers),
      extensions: readExtensions(headers),
      origin: originOf(new URL(context.url)),
      basePath: "",
      traceId: originOfTrace(headers.get("traceparent")).traceId,
      signal: ending.signal,
    },
    check(versions) {
      const named = headers.get(VERSION_HEADER)?.trim() ?? "";
      // The service that is called says the version; metadata may say it again.
      if (named === "" || knownVersion(named, versions) === version) return;
      throw new A2aError(
        "VERSION_NOT_SUPPORTED",
        `this service speaks version ${version}, and the metadata says another one`,
        { metadata: { supportedVersions: version } },
      );
    },
    announce(extensions) {
      if (extensions.length > 0) responseHeader.set(EXTENSIONS_HEADER[version], extensions.join(", "));
    },
    end,
  };
}

/** Returns the agent that the call names; undefined where it names none. */
export function agentOf(headers: A2aCall["headers"], { tenant }: JsonObject): string | undefined {
  const named = headers["proctor-agent"] ?? headers["x-a2a-tenant"] ?? tenant;
  return typeof named === "string" && named !== "" ? named : undefined;
}
