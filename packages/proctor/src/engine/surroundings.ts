// What a run gets beside its task: a directory of its own, an address for its tools, a model, a place for its program and its
// terminal, a canary. Made when it starts, gone when it has ended.
import { messageOf } from "../core/message-of.ts";
import type { AgentSpec } from "../core/agent.ts";
import type { EnvironmentFacts } from "../core/environment.ts";
import type { AgentDriver } from "../core/ports/driver.ts";
import type { Environment } from "../core/ports/environments.ts";
import type { ModelCall, ModelHost } from "../core/ports/model-host.ts";
import type { Context } from "../core/task.ts";
import type { ObservedCall } from "../core/tools.ts";
import { failure, type Failure } from "../core/failure.ts";
import type { RunOptions } from "../core/run-options.ts";
import type { ToolEndpoint, ToolHost } from "../core/ports/tool-host.ts";
import type { Workspace, Workspaces } from "../core/ports/workspaces.ts";
import type { Run } from "../core/run.ts";
import { openModel, type RunModel } from "./open-model.ts";
import { openPlaces, type PlaceDeps } from "./open-places.ts";

export interface SurroundingsDeps extends PlaceDeps {
  workspaces: Workspaces;
  tools: ToolHost;
  models: ModelHost;
}

export interface Surroundings {
  /** The context that the agent is given. */
  context: Context;
  workspace: Workspace | undefined;
  /** Where the agent leaves its files: the workspace, or the client's own directory where the run asks to look into that. */
  folder: Workspace | undefined;
  /** Names that the platform's endpoint answers to. */
  toolNames: readonly string[];
  /** The environments of its program and of its terminal. */
  environment: Environment | undefined;
  terminal: Environment | undefined;
  places: readonly EnvironmentFacts[];
  /** Variables that the platform sets for its program. */
  env: Readonly<Record<string, string>>;
  /** Its tools and its model answer no more. */
  closeTools(): Promise<void>;
  /** Copies the files that the terminal left in its directory into the workspace. */
  bringBack(): Promise<void>;
  remove(): Promise<void>;
}

interface SurroundingsRequest {
  run: Run;
  spec: AgentSpec;
  driver: AgentDriver;
  /** The context with its real secrets. */
  context: Context;
  options: RunOptions;
  /** The key for its model; absent when it gets no model. */
  modelKey: string | undefined;
  redact: (text: string) => string;
  /** The same for the content of files; absent when the run has no secrets. */
  redactBytes?: (content: Uint8Array) => Uint8Array;
  onCall: (call: ObservedCall) => Promise<void>;
  onModelCall: (call: ModelCall) => Promise<void>;
  /** The client's files are put into the workspace, before anything else looks into it. */
  place: (workspace: Workspace) => Promise<void>;
  readSnapshot: (from: { run_id: string; step?: number }) => Promise<AsyncIterable<Uint8Array>>;
  /** Ends what takes long. */
  signal: AbortSignal;
}

/** Brings a directory or an endpoint of the client's own with it? Then the run has none of ours. */
export async function prepareSurroundings(
  deps: SurroundingsDeps,
  request: SurroundingsRequest,
): Promise<Surroundings | Failure> {
  const { run, context, options } = request;
  let workspace: Workspace | undefined;
  let folder: Workspace | undefined;
  let endpoint: ToolEndpoint | undefined;
  let model: RunModel | undefined;

  let closing: Promise<unknown> | undefined;
  async function closeTools(): Promise<void> {
    await (closing ??= Promise.all([endpoint?.close(), model?.close()]));
  }

  async function undo(why: Failure): Promise<Failure> {
    await closeTools().catch(() => undefined);
    await workspace?.remove().catch(() => undefined);
    return why;
  }

  try {
    if (context.workspace_path === undefined) {
      const { fixture, keep = false } = options.workspace ?? {};
      workspace = await deps.workspaces.create(run.id, { keep, ...(fixture !== undefined && { fixture }) });
      folder = workspace;
    } else if (options.workspace?.collect_changed !== undefined) {
      folder = await deps.workspaces.open(context.workspace_path);
    }
  } catch (error) {
    return undo(failure("WORKSPACE_FAILED", messageOf(error)));
  }
  try {
    if (workspace) await request.place(workspace);
  } catch (error) {
    const message = `a file of the client's could not be placed: ${messageOf(error)}`;
    return undo(failure("WORKSPACE_FAILED", message));
  }
  try {
    endpoint = await openTools(deps, request);
  } catch (error) {
    return undo(failure("TOOLS_FAILED", messageOf(error)));
  }
  try {
    model = await openModel(deps.models, request);
  } catch (error) {
    return undo(failure("MODEL_FAILED", messageOf(error)));
  }
  const given = {
    ...context,
    ...(workspace && { workspace_path: workspace.path }),
    ...(endpoint && { tools_endpoint: endpoint.url }),
  };
  const ports = [portOf(endpoint?.url), portOf(model?.env["LLM_API_URL"])].filter(
    (port) => port !== undefined,
  );
  const places = await openPlaces(deps, { ...request, workspacePath: given.workspace_path, ports });
  if ("code" in places) return undo(places);
  return {
    context: given,
    workspace,
    folder,
    toolNames: endpoint?.names ?? [],
    environment: places.agent,
    terminal: places.terminal,
    places: places.facts,
    env: model?.env ?? {},
    closeTools,
    bringBack: () => places.bringBack(),
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
