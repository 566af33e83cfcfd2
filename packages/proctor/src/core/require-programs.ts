// What a caller without the scope `programs` may ask for: registered agents by their names, and nothing that starts or reaches something
// of its own choosing. What is not known to be harmless is refused.
import { isHubTool } from "./address.ts";
import { AGENT_NAME, type AgentSpec } from "./agent.ts";
import { denied, may, type Caller } from "./caller.ts";
import { ProctorError } from "./errors.ts";
import type { ClientRunRequest, RunRequest } from "./ports/hub.ts";

const HARMLESS_OPTIONS: ReadonlySet<string> = new Set([
  "strict",
  "canary",
  "record",
  "workspace",
  "llm",
  "tools",
  "conversation",
  "capability",
  "priority",
  "requires",
  // The hub's own rules apply to its host.
  "webhook",
  "request_violations",
]);
const HARMLESS_WORKSPACE: ReadonlySet<string> = new Set(["collect", "collect_changed", "keep", "hold"]);
const HARMLESS_TOOLS: ReadonlySet<string> = new Set([
  "name",
  "description",
  "default_delay_ms",
  "tools",
  "scripts",
]);
const HARMLESS_TOOL: ReadonlySet<string> = new Set(["name", "description", "responses", "default"]);
const REACHED_BY_URL = /^(?:https?|wss?|grpcs?):\/\//;

/** Throws SCOPE_MISSING. `agent` is what a client sent, not what the hub is configured to accept. */
export function requireProgramsForName(caller: Caller, agent: string | AgentSpec): void {
  if (may(caller, "programs")) return;
  // A tool of the hub was put there by a caller who may start programs.
  if (typeof agent === "string" && (AGENT_NAME.test(agent) || isHubTool(agent))) return;
  throw needed(caller, "agent", "only agents that are registered, by their names, and tools of the hub");
}

/** Throws SCOPE_MISSING for a request that starts or reaches something of the caller's own choosing. */
export function requireProgramsForRun(caller: Caller, request: RunRequest | ClientRunRequest): void {
  if (may(caller, "programs")) return;
  if ("agent" in request) requireProgramsForName(caller, request.agent);
  const { options = {}, context = {} } = request;
  for (const place of ["workspace_path", "tools_endpoint"] as const)
    if (context[place] !== undefined)
      throw needed(caller, `context.${place}`, "no place of its own choosing");
  refuseOthers(caller, "options", options, HARMLESS_OPTIONS);
  refuseOthers(caller, "options.workspace", options.workspace, HARMLESS_WORKSPACE);
  refuseOthers(caller, "options.tools", options.tools, HARMLESS_TOOLS);
  for (const tool of options.tools?.tools ?? [])
    refuseOthers(caller, "options.tools.tools", tool, HARMLESS_TOOL);
}

/** Throws SCOPE_MISSING for an agent that is a program, or is read from a file. */
export function requireProgramsForAgent(caller: Caller, spec: AgentSpec): void {
  if (may(caller, "programs")) return;
  const places = ["command", "env", "environment", "cwd", "client_env", "options"] as const;
  const place = places.find((name) => spec[name] !== undefined);
  if (place !== undefined) throw needed(caller, place, "only agents that are reached by a URL");
  if (!REACHED_BY_URL.test(spec.url ?? ""))
    throw needed(caller, "url", "only agents that are reached by a URL");
}

function refuseOthers(
  caller: Caller,
  path: string,
  given: object | undefined,
  harmless: ReadonlySet<string>,
): void {
  const other = Object.entries(given ?? {}).find(([key, value]) => value !== undefined && !harmless.has(key));
  if (other !== undefined)
    throw needed(caller, `${path}.${other[0]}`, "nothing that starts or reaches something else");
}

function needed(caller: Caller, path: string, instead: string): ProctorError {
  const error = new ProctorError(
    "SCOPE_MISSING",
    `${path} needs a token with the scope "programs"; without it a caller may use ${instead}`,
    { details: { scope: "programs", path } },
  );
  return denied(caller, error);
}
