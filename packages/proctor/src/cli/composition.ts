// What commands need to have put together for them. compose/ does it; tests do it with doubles.
import type { Agent, AgentSpec } from "../core/agent.ts";
import type { Artifact } from "../core/artifact.ts";
import type { JsonObject } from "../core/json.ts";
import type { Hub } from "../core/ports/hub.ts";
import type { Run } from "../core/run.ts";
import type { Conformance } from "../protocols/conformance.ts";
import type { ServeMockTools } from "./actions/mock-tools.ts";
import type { Config } from "./config.ts";

export interface OpenHub {
  hub: Hub;
  where: "in-process" | "remote";
  url?: string;
  close(): Promise<void>;
}

export interface ServeOptions {
  onReady: (info: { url: string; grpcUrl?: string; agents: Agent[] }) => void;
  /** Aborted to stop gracefully. */
  signal: AbortSignal;
}

export interface Composition {
  /**
   * Opens the right hub: `--hub`/`PROCTOR_URL` → over HTTP; the data directory's lock names a running hub → over HTTP;
   * otherwise in this process, which takes the lock. "read" opens the store read-only and without the lock. The signal
   * ends a wait for the lock.
   */
  openHub(config: Config, mode: "read" | "write", signal?: AbortSignal): Promise<OpenHub>;
  /** `proctor up`; resolves after a graceful stop. */
  serve(config: Config, options: ServeOptions): Promise<void>;
  /** The kinds of address that some protocol speaks: `atp+stdio`. */
  schemes: readonly string[];
  /** The rules of an agent's protocol and how to try them; throws UNKNOWN_SCHEME. */
  conformance(spec: AgentSpec): Promise<Conformance>;
  /** `proctor mock tools`; resolves when it has stopped. */
  serveMockTools: ServeMockTools;
  /** The ATP response document of an ended run. */
  encodeResponse(run: Run, readArtifact: (artifact: Artifact) => Promise<Uint8Array>): Promise<JsonObject>;
}
