// Everything that pages ask of the hub, by name. One function per operation; types are those of the OpenAPI document.
import { segment, type Query } from "./address.ts";
import type {
  AgentList,
  ArtifactList,
  AuditList,
  CaseHistory,
  Comparison,
  ConformanceReportList,
  Conversation,
  Double,
  DoubleList,
  DoubleRequestList,
  Evaluation,
  EvaluationCaseList,
  EvaluationList,
  EvaluationMatrix,
  EventList,
  ForkPoints,
  ForkRequest,
  Goal,
  GoalDiff,
  GoalList,
  GoalRequest,
  HealthHistory,
  IssuedToken,
  MessageList,
  NewAnswer,
  NewToken,
  Plan,
  QuestionList,
  RegisteredAgent,
  RegisteredAgentList,
  RerunRequest,
  Run,
  RunList,
  RunRequest,
  RunStatus,
  RunsSummary,
  SubtaskList,
  Token,
  TokenList,
  TreeTally,
  Worker,
  WorkerList,
} from "./gen/schema.ts";
import { request, send } from "./request.ts";

export interface RunFilter {
  status?: readonly RunStatus[];
  agent?: string;
  conversation?: string;
  evaluation?: string;
  text?: string;
  created_after?: string;
  created_before?: string;
  protocol?: string;
  /** Smallest cost of the runs, in US dollars. */
  cost_at_least?: string;
  violations?: "true";
  parent?: string;
  root?: string;
  prefix?: string;
  order?: "newest" | "oldest" | "costliest" | "slowest";
}

interface Paging {
  cursor?: string | undefined;
  limit?: number;
}

const run = (id: string, rest = ""): string => `runs/${segment(id)}${rest}`;
const evaluation = (id: string, rest = ""): string => `evaluations/${segment(id)}${rest}`;
const goal = (id: string, rest = ""): string => `goals/${segment(id)}${rest}`;
const registered = (name: string, rest = ""): string => `registry/agents/${segment(name)}${rest}`;

export const hub = {
  runs: (query: RunFilter & Paging, signal?: AbortSignal) =>
    request<RunList>("GET", "runs", { query: { ...query }, signal }),
  run: (id: string, signal?: AbortSignal) => request<Run>("GET", run(id), { signal }),
  summary: (since: string, signal?: AbortSignal) =>
    request<RunsSummary>("GET", "runs/summary", { query: { since }, signal }),
  submit: (body: RunRequest) => request<Run>("POST", "runs", { body }),
  removeRun: (id: string) => request<undefined>("DELETE", run(id)),
  control: (id: string, verb: "start" | "cancel" | "pause" | "resume", reason?: string) =>
    request<Run>("POST", run(id, `/${verb}`), {
      ...(verb !== "start" && { body: reason === undefined ? {} : { reason } }),
    }),
  events: (id: string, query: Query, signal?: AbortSignal) =>
    request<EventList>("GET", run(id, "/events"), { query, signal }),
  messages: (id: string, signal?: AbortSignal) =>
    request<MessageList>("GET", run(id, "/messages"), { signal }),
  say: (id: string, text: string) => request<unknown>("POST", run(id, "/messages"), { body: { text } }),
  answer: (id: string, answer: NewAnswer) =>
    request<Run>("POST", run(id, "/answers"), { body: { by: { kind: "human" }, ...answer } }),
  forkPoints: (id: string, signal?: AbortSignal) => request<ForkPoints>("GET", run(id, "/fork"), { signal }),
  fork: (id: string, body: ForkRequest) => request<Run>("POST", run(id, "/fork"), { body }),
  tally: (id: string, signal?: AbortSignal) => request<TreeTally>("GET", run(id, "/tally"), { signal }),
  artifacts: (id: string, query: Paging, signal?: AbortSignal) =>
    request<ArtifactList>("GET", run(id, "/artifacts"), { query: { ...query }, signal }),
  /** Resolves with the content of an artifact; with `bytes`, at most that number of bytes from its beginning. */
  async content(id: string, artifact: string, bytes?: number, signal?: AbortSignal): Promise<Blob> {
    const headers = bytes === undefined ? {} : { range: `bytes=0-${bytes - 1}` };
    const path = run(id, `/artifacts/${segment(artifact)}/content`);
    return (await send("GET", path, { headers, signal })).blob();
  },
  /** Resolves with the run as a suite of one test, in YAML. */
  suiteOf: async (id: string): Promise<string> => (await send("GET", run(id, "/suite"))).text(),
  questions: (query: Query, signal?: AbortSignal) =>
    request<QuestionList>("GET", "questions", { query, signal }),
  conversation: (id: string, signal?: AbortSignal) =>
    request<Conversation>("GET", `conversations/${segment(id)}`, { signal }),
  agents: (query: Paging, signal?: AbortSignal) =>
    request<AgentList>("GET", "agents", { query: { ...query }, signal }),
  registered: (query: Query, signal?: AbortSignal) =>
    request<RegisteredAgentList>("GET", "registry/agents", { query, signal }),
  registeredAgent: (name: string, signal?: AbortSignal) =>
    request<RegisteredAgent>("GET", registered(name), { signal }),
  healthHistory: (name: string, query: Paging, signal?: AbortSignal) =>
    request<HealthHistory>("GET", registered(name, "/history"), { query: { ...query }, signal }),
  conformance: (name: string, signal?: AbortSignal) =>
    request<ConformanceReportList>("GET", `agents/${segment(name)}/conformance`, { signal }),
  /** Resolves with the card by which A2A clients know the agent. */
  card: (name: string, signal?: AbortSignal) =>
    request<unknown>("GET", `a2a/${segment(name)}/.well-known/agent-card.json`, { signal }),
  command: (name: string, command: "drain" | "stop" | "resume") =>
    request<RegisteredAgent>("POST", registered(name, "/commands"), { body: { command } }),
  evaluations: (query: Query, signal?: AbortSignal) =>
    request<EvaluationList>("GET", "evaluations", { query, signal }),
  evaluation: (id: string, signal?: AbortSignal) => request<Evaluation>("GET", evaluation(id), { signal }),
  cases: (id: string, query: Query, signal?: AbortSignal) =>
    request<EvaluationCaseList>("GET", evaluation(id, "/cases"), { query, signal }),
  matrix: (id: string, query: Paging, signal?: AbortSignal) =>
    request<EvaluationMatrix>("GET", evaluation(id, "/matrix"), { query: { ...query }, signal }),
  compareEvaluations: (before: string, after: string, signal?: AbortSignal) =>
    request<Comparison>("GET", evaluation(before, `/compare/${segment(after)}`), { signal }),
  removeEvaluation: (id: string) => request<undefined>("DELETE", evaluation(id)),
  caseHistory: (of: string, query: Query, signal?: AbortSignal) =>
    request<CaseHistory>("GET", `cases/${segment(of)}/history`, { query, signal }),
  goals: (query: Query, signal?: AbortSignal) => request<GoalList>("GET", "goals", { query, signal }),
  goal: (id: string, signal?: AbortSignal) => request<Goal>("GET", goal(id), { signal }),
  ask: (body: GoalRequest) => request<Goal>("POST", "goals", { body }),
  plan: (id: string, signal?: AbortSignal) => request<Plan | null>("GET", goal(id, "/plan"), { signal }),
  subtasks: (id: string, query: Paging, signal?: AbortSignal) =>
    request<SubtaskList>("GET", goal(id, "/subtasks"), { query: { ...query }, signal }),
  rerun: (id: string, body: RerunRequest) => request<Goal>("POST", goal(id, "/rerun"), { body }),
  goalDiff: (id: string, other: string, signal?: AbortSignal) =>
    request<GoalDiff>("GET", goal(id, `/diff/${segment(other)}`), { signal }),
  tokens: (query: Paging, signal?: AbortSignal) =>
    request<TokenList>("GET", "tokens", { query: { ...query }, signal }),
  createToken: (body: NewToken) => request<IssuedToken>("POST", "tokens", { body }),
  rotateToken: (id: string) => request<IssuedToken>("POST", `tokens/${segment(id)}/rotate`, { body: {} }),
  revokeToken: (id: string) => request<Token>("POST", `tokens/${segment(id)}/revoke`, { body: {} }),
  workers: (signal?: AbortSignal) => request<WorkerList>("GET", "workers", { signal }),
  drainWorker: (id: string) => request<Worker>("POST", `workers/${segment(id)}/drain`, { body: {} }),
  audit: (query: Query, signal?: AbortSignal) => request<AuditList>("GET", "audit", { query, signal }),
  metrics: async (signal?: AbortSignal): Promise<string> => (await send("GET", "metrics", { signal })).text(),
  doubles: (signal?: AbortSignal) => request<DoubleList>("GET", "doubles", { signal }),
  double: (id: string, signal?: AbortSignal) => request<Double>("GET", `doubles/${segment(id)}`, { signal }),
  doubleRequests: (id: string, query: Query, signal?: AbortSignal) =>
    request<DoubleRequestList>("GET", `doubles/${segment(id)}/requests`, { query, signal }),
  openapi: (signal?: AbortSignal) => request<unknown>("GET", "openapi.json", { signal }),
  health: (signal?: AbortSignal) => request<Record<string, unknown>>("GET", "healthz", { signal }),
};
