// What commands need to have put together for them. compose/ does it; tests do it with doubles.
import type { Agent, AgentSpec } from "../core/agent.ts";
import type { Artifact } from "../core/artifact.ts";
import type { RunEvent } from "../core/event.ts";
import type { RecordingLabels } from "../core/format-recording.ts";
import type { JsonObject } from "../core/json.ts";
import type { RunCommand } from "../core/ports/commands.ts";
import type { Environments } from "../core/ports/environments.ts";
import type { Hub } from "../core/ports/hub.ts";
import type { OpenKeptWorkspace } from "../core/ports/workspaces.ts";
import type { Run } from "../core/run.ts";
import type { Conformance } from "../protocols/conformance.ts";
import type { ServeMockLlm } from "./actions/mock/mock-llm.ts";
import type { ServeMockAgent } from "./actions/mock/mock-agent.ts";
import type { ServeMockTools } from "./actions/mock/mock-tools.ts";
import type { Config } from "./config.ts";

export type WriteRecording = (
  file: string,
  run: Run,
  events: AsyncIterable<RunEvent>,
  labels?: RecordingLabels,
) => Promise<void>;

export interface OpenHub {
  hub: Hub;
  where: "in-process" | "remote";
  url?: string;
  close(): Promise<void>;
}

export interface ServeOptions {
  /** `trouble` says why it listens and takes no work. */
  onReady: (info: { url: string; grpcUrl?: string; agents: Agent[]; trouble?: string }) => void;
  /** Gets the log, one JSON object per line, some lines at a time. */
  writeLog: (text: string) => void;
  /** Called when a run has started and when it has ended. */
  onRun?: (run: Run) => void;
  /** Called for what went wrong in the hub itself; it is in the log as well. */
  onProblem?: (message: string, runId: string) => void;
  /** Aborted to stop gracefully. */
  signal: AbortSignal;
}

export interface Traces {
  send(run: Run, events: AsyncIterable<RunEvent>): Promise<void>;
  /** Waits a little for what is under way. */
  close(): Promise<void>;
}

export interface MachineEnvironments extends Environments {
  /** What serves a verifier without a network. */
  toolchain(): Promise<ToolchainReport>;
}

export interface ToolchainReport {
  /** What was found, with its version. */
  python: string | undefined;
  pytest: string | undefined;
  notes: readonly string[];
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
  /** `proctor mock agent`; resolves to its exit code when it has stopped. */
  serveMockAgent: ServeMockAgent;
  /** Writes what travelled in an ended run that was recorded, for `replay+file:<file>`. */
  writeRecording: WriteRecording;
  /** `proctor mock llm`; resolves when it has stopped. */
  serveMockLlm: ServeMockLlm;
  /** For checks that run programs. */
  runCommand: RunCommand;
  /** For checks that look into the directory of a run. */
  openKeptWorkspace: OpenKeptWorkspace;
  /** The environments of this machine; nothing is looked at before it is needed. */
  openEnvironments(config: Config): MachineEnvironments;
  /** Where runs go as OpenTelemetry traces. `report` is told what could not be sent. */
  openTraces(options: { url: string; headers?: string; report: (problem: string) => void }): Promise<Traces>;
  /** The ATP response document of an ended run. */
  encodeResponse(run: Run, readArtifact: (artifact: Artifact) => Promise<Uint8Array>): Promise<JsonObject>;
}
