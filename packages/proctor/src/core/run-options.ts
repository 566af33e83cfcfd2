// What a client asks of the platform for a run, in addition to the task itself. The run stores it.
import type { ConversationOptions } from "./conversation-options.ts";
import type { EnvironmentOptions, TerminalOptions } from "./environment.ts";
import type { Violation } from "./event.ts";
import type { GoalOptions } from "./goal.ts";
import type { JsonObject } from "./json.ts";
import type { LabSet } from "./labs.ts";
import type { ToolSet } from "./tools.ts";

export interface RunOptions extends JsonObject {
  /** Whether a violation of the agent's protocol fails the run. */
  strict?: boolean;
  /** Whether a unique secret is put into the agent's environment; the run fails where it turns up again. */
  canary?: boolean;
  /** Whether every message that travels is kept in the log, so that the run can be replayed. */
  record?: boolean;
  /** Name of the agent's capability that the run carries out: its input and its output are checked against the schemas. */
  capability?: string;
  /** From -100 to 100: among the runs that wait, the one with the higher number starts first; 0 when absent. */
  priority?: number;
  /** Labels that a worker must have to carry out the run, in addition to those that its agent requires. */
  requires?: string[];
  workspace?: WorkspaceOptions;
  /** The environment of a terminal agent's terminal; for any other agent that of its program, in addition to what its address says. */
  environment?: EnvironmentOptions;
  /** How a terminal agent works. */
  terminal?: TerminalOptions;
  /** Model endpoint of the run's own for the agent: `LLM_API_URL`, `LLM_API_KEY`, `LLM_PROVIDER`, `LLM_MODEL`. */
  llm?: LlmOptions;
  /** What the agent's tools do; the run gets its own `tools_endpoint`. */
  tools?: ToolSet;
  /** The labs that the agent meets; it finds them by `LAB_OAUTH_URL` and `LAB_PUSH_URL`. */
  labs?: LabSet;
  /** What happens to the agent's questions; absent where no one can be asked. */
  conversation?: ConversationOptions;
  /** How a goal is carried out; only for runs of goals. */
  goal?: GoalOptions;
  /** Where the events of the run are sent. */
  webhook?: WebhookOptions;
  /** How the client's own request departed from its protocol; recorded as violations, which strict does not count. */
  request_violations?: Violation[];
}

/** Terminal agents have a model endpoint unless this says `{enabled: false}`; others have one when this is present. */
export interface LlmOptions extends JsonObject {
  enabled?: boolean;
  /** The model; the hub's own when absent. */
  model?: string;
  /** US dollars that the run may spend at its endpoint before calls are refused; `constraints.budget_usd` applies as well. */
  budget_usd?: number;
}

/** Every run has a fresh directory unless its client brings one as `workspace_path`. */
export interface WorkspaceOptions extends JsonObject {
  /** A directory whose content the workspace starts with. */
  fixture?: string;
  /** Patterns of files that become artifacts when the run has ended: `*`, `**`, `?`, relative to the workspace. */
  collect?: string[];
  /** Patterns of files that become artifacts where the agent made or changed them; folders of tools are skipped. */
  collect_changed?: string[];
  /** Whether the directory stays after the run. */
  keep?: boolean;
  /** Whether the directory stays after the run until `Hub.release`. After a crash it is removed. */
  hold?: boolean;
}

/** Sends events as they happen, by HTTP POST, to a receiver that cannot hold a connection open. */
export interface WebhookOptions extends JsonObject {
  url: string;
  /** The secret that requests are signed with. It is never shown again. */
  secret?: string;
  /** The types of events to send: `task.completed`, `step.*`, `*`; `task.*` when absent. */
  events?: string[];
}
