// What a run gets besides its task: a directory of its own, an address for its tools, a model, and environments for its program and
// its terminal. Made when the run starts, removed when it has ended.
import { messageOf } from "../core/message-of.ts";
import { isNoRoom } from "../core/no-room.ts";
import type { AgentSpec } from "../core/agent.ts";
import type { EnvironmentFacts } from "../core/environment.ts";
import type { AgentDriver, StopSignals } from "../core/ports/driver.ts";
import type { Environment } from "../core/ports/environments.ts";
import type { LabHost, OpenLabs } from "../core/ports/lab-host.ts";
import type { ModelCall, ModelHost } from "../core/ports/model-host.ts";
import type { Context } from "../core/task.ts";
import type { ObservedCall } from "../core/tools.ts";
import { failure, type Failure } from "../core/failure.ts";
import type { RunOptions } from "../core/run-options.ts";
import type { ToolEndpoint, ToolHost } from "../core/ports/tool-host.ts";
import type { Room } from "../core/ports/room.ts";
import type { RunAccess } from "../core/ports/run-access.ts";
import type { Workspace, Workspaces } from "../core/ports/workspaces.ts";
import type { Run } from "../core/run.ts";
import { openModel, type RunModel } from "./open-model.ts";
import { openPlaces, type PlaceDeps, type Places } from "./open-places.ts";

export interface SurroundingsDeps extends PlaceDeps {
  workspaces: Workspaces;
  tools: ToolHost;
  models: ModelHost;
  labs: LabHost;
  /** Gives programs access to the hub for their own run; absent where the hub does not listen. */
  access?: RunAccess;
  /** Tells whether runs find room here; absent where no other worker could take them. */
  room?: Room;
}

export interface Surroundings {
  /** The context that the agent is given. */
  context: Context;
  workspace: Workspace | undefined;
  /** The directory in which the agent leaves its files: the workspace, or the client's own where the run collects files there. */
  folder: Workspace | undefined;
  /** The names of the tools that the run's endpoint serves. */
  toolNames: readonly string[];
  /** The environment of the agent's program. */
  environment: Environment | undefined;
  terminal: Environment | undefined;
  places: readonly EnvironmentFacts[];
  /** Variables that the platform sets for the agent's program. */
  env: Readonly<Record<string, string>>;
  /** Closes the endpoints of the run's tools and model, and its labs. */
  closeTools(): Promise<void>;
  /** Copies the files that the terminal left in its directory into the workspace. */
  bringBack: Places["bringBack"];
  remove(): Promise<void>;
}

interface SurroundingsRequest {
  run: Run;
  spec: AgentSpec;
  driver: AgentDriver;
  /** The context with its real secrets. */
  context: Context;
  options: RunOptions;
  /** Whether the run continues after it was parked: its directory may still exist. */
  resumed: boolean;
  /** The key of the run's model; undefined when it gets no model. */
  modelKey: string | undefined;
  /** Gives the agent's program access to the hub, for its own run. */
  openAccess: () => Promise<Record<string, string>>;
  redact: (text: string) => string;
  /** Replaces the run's secrets in file content; absent when it has none. */
  redactBytes?: (content: Uint8Array) => Uint8Array;
  onCall: (call: ObservedCall) => Promise<void>;
  onModelCall: (call: ModelCall) => Promise<void>;
  /** Resolves with why no model is called any more, though the run is within its own limits. */
  usedUp: () => Promise<Failure | undefined>;
  /** Puts the client's files into the workspace, before anything else reads it. */
  place: (workspace: Workspace) => Promise<void>;
  readSnapshot: (from: { run_id: string; step?: number }) => Promise<AsyncIterable<Uint8Array>>;
  /** Signals of the run: `cancel` aborts what takes long. */
  signals: Pick<StopSignals, "cancel">;
}

/** Makes the surroundings. A run whose client brings a directory or a tools endpoint gets none from the platform. */
export async function prepareSurroundings(
  deps: SurroundingsDeps,
  request: SurroundingsRequest,
): Promise<Surroundings | Failure> {
  const { run, context, options } = request;
  let workspace: Workspace | undefined;
  let folder: Workspace | undefined;
  let endpoint: ToolEndpoint | undefined;
  let model: RunModel | undefined;
  let labs: OpenLabs | undefined;

  let closing: Promise<unknown> | undefined;
  async function closeTools(): Promise<void> {
    await (closing ??= Promise.all([endpoint?.close(), model?.close(), labs?.close()]));
  }

  function noteRoom(error: unknown): void {
    if (isNoRoom(error)) deps.room?.met();
  }

  async function undo(why: Failure): Promise<Failure> {
    await closeTools().catch(() => undefined);
    await workspace?.remove().catch(() => undefined);
    return why;
  }

  try {
    if (context.workspace_path === undefined) {
      const { fixture, keep = false } = options.workspace ?? {};
      const again = request.resumed;
      workspace = await deps.workspaces.create(run.id, {
        keep,
        again,
        ...(fixture !== undefined && { fixture }),
      });
      folder = workspace;
    } else if (options.workspace?.collect_changed !== undefined) {
      folder = await deps.workspaces.open(context.workspace_path);
    }
  } catch (error) {
    noteRoom(error);
    return undo(failure("WORKSPACE_FAILED", messageOf(error)));
  }
  try {
    if (workspace) await request.place(workspace);
  } catch (error) {
    noteRoom(error);
    const message = `a file of the client's could not be placed: ${messageOf(error)}`;
    return undo(failure("WORKSPACE_FAILED", message));
  }
  try {
    endpoint = await openTools(deps, request);
  } catch (error) {
    return undo(failure("TOOLS_FAILED", messageOf(error)));
  }
  try {
    if (options.labs) labs = await deps.labs.open({ labs: options.labs, onCall: request.onCall });
  } catch (error) {
    return undo(failure("TOOLS_FAILED", `a lab could not be opened: ${messageOf(error)}`));
  }
  try {
    model = await openModel(deps.models, request);
  } catch (error) {
    return undo(failure("MODEL_FAILED", messageOf(error)));
  }
  const access = await request.openAccess().catch(() => undefined);
  if (access === undefined) return undo(failure("INTERNAL_ERROR", "the run's token could not be issued"));
  const given = {
    ...context,
    ...(workspace && { workspace_path: workspace.path }),
    ...(endpoint && { tools_endpoint: endpoint.url }),
    // Agents elsewhere, whose program is not started here, find the labs in their context.
    ...(labs && { environment: { ...context.environment, ...labs.env } }),
  };
  const ports = [portOf(endpoint?.url), portOf(model?.env["LLM_API_URL"]), ...(labs?.ports ?? [])].filter(
    (port) => port !== undefined,
  );
  const places = await openPlaces(deps, request, { workspacePath: given.workspace_path, ports });
  if ("code" in places) return undo(places);
  return {
    context: given,
    workspace,
    folder,
    toolNames: endpoint?.names ?? [],
    environment: places.agent,
    terminal: places.terminal,
    places: places.facts,
    env: { ...access, ...model?.env, ...labs?.env },
    closeTools,
    bringBack: places.bringBack,
    async remove() {
      await places.close();
      if (options.workspace?.hold !== true) await workspace?.remove();
    },
  };
}

async function openTools(
  deps: SurroundingsDeps,
  { run, context, options, redact, onCall }: SurroundingsRequest,
): Promise<ToolEndpoint | undefined> {
  if (options.tools === undefined || context.tools_endpoint !== undefined) return undefined;
  return deps.tools.open({
    runId: run.id,
    traceId: run.trace_id,
    tools: options.tools,
    allowed: run.constraints.allowed_tools ?? null,
    redact,
    onCall,
  });
}

function portOf(url: string | undefined): number | undefined {
  if (url === undefined) return undefined;
  const { port, protocol } = new URL(url);
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}
