// What a run gets beside its task: a directory of its own, an address for its tools, a canary. Made when it starts, gone
// when it has ended.
import type { Context } from "../core/task.ts";
import type { ObservedCall } from "../core/tools.ts";
import { failure, type Failure } from "../core/failure.ts";
import type { RunOptions } from "../core/run-options.ts";
import type { ToolEndpoint, ToolHost } from "../core/ports/tool-host.ts";
import type { Workspace, Workspaces } from "../core/ports/workspaces.ts";
import type { Run } from "../core/run.ts";

export interface SurroundingsDeps {
  workspaces: Workspaces;
  tools: ToolHost;
}

export interface Surroundings {
  /** For the agent. */
  context: Context;
  workspace: Workspace | undefined;
  /** Names that the platform's endpoint answers to. */
  toolNames: readonly string[];
  /** Its tools answer no more. */
  closeTools(): Promise<void>;
  remove(): Promise<void>;
}

export interface SurroundingsRequest {
  run: Run;
  /** With real secrets. */
  context: Context;
  options: RunOptions;
  redact: (text: string) => string;
  onCall: (call: ObservedCall) => Promise<void>;
}

/** Brings a directory or an endpoint of the client's own with it? Then the run has none of ours. */
export async function prepareSurroundings(
  deps: SurroundingsDeps,
  request: SurroundingsRequest,
): Promise<Surroundings | Failure> {
  const { run, context, options } = request;
  let workspace: Workspace | undefined;
  try {
    if (context.workspace_path === undefined) {
      const { fixture, keep = false } = options.workspace ?? {};
      workspace = await deps.workspaces.create(run.id, { keep, ...(fixture !== undefined && { fixture }) });
    }
  } catch (error) {
    return failure("WORKSPACE_FAILED", messageOf(error));
  }
  let endpoint: ToolEndpoint | undefined;
  try {
    endpoint = await openTools(deps, request);
  } catch (error) {
    await workspace?.remove().catch(() => undefined);
    return failure("TOOLS_FAILED", messageOf(error));
  }
  return {
    context: {
      ...context,
      ...(workspace && { workspace_path: workspace.path }),
      ...(endpoint && { tools_endpoint: endpoint.url }),
    },
    workspace,
    toolNames: endpoint?.names ?? [],
    closeTools: async () => endpoint?.close(),
    remove: async () => workspace?.remove(),
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
