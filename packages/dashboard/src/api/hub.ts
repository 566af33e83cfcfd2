// Everything that pages ask of the hub, by name. One function per operation; types are those of the OpenAPI document.
import { segment, type Query } from "./address.ts";
import type {
  AgentList,
  ArtifactList,
  AuditList,
  Conversation,
  EventList,
  IssuedToken,
  MessageList,
  NewAnswer,
  NewToken,
  QuestionList,
  RegisteredAgentList,
  Run,
  RunList,
  RunRequest,
  RunStatus,
  RunsSummary,
  Token,
  TokenList,
  TreeTally,
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
  parent?: string;
  root?: string;
  prefix?: string;
  order?: "newest" | "oldest";
}

interface Paging {
  cursor?: string | undefined;
  limit?: number;
}

const run = (id: string, rest = ""): string => `runs/${segment(id)}${rest}`;

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
  tally: (id: string, signal?: AbortSignal) => request<TreeTally>("GET", run(id, "/tally"), { signal }),
  artifacts: (id: string, query: Paging, signal?: AbortSignal) =>
    request<ArtifactList>("GET", run(id, "/artifacts"), { query: { ...query }, signal }),
  /** The bytes of an artifact; with `bytes`, at most so many from its beginning. */
  async content(id: string, artifact: string, bytes?: number, signal?: AbortSignal): Promise<Blob> {
    const headers = bytes === undefined ? {} : { range: `bytes=0-${bytes - 1}` };
    const path = run(id, `/artifacts/${segment(artifact)}/content`);
    return (await send("GET", path, { headers, signal })).blob();
  },
  /** The run as a suite of one test, in YAML. */
  suiteOf: async (id: string): Promise<string> => (await send("GET", run(id, "/suite"))).text(),
  questions: (query: Query, signal?: AbortSignal) =>
    request<QuestionList>("GET", "questions", { query, signal }),
  conversation: (id: string, signal?: AbortSignal) =>
    request<Conversation>("GET", `conversations/${segment(id)}`, { signal }),
  agents: (query: Paging, signal?: AbortSignal) =>
    request<AgentList>("GET", "agents", { query: { ...query }, signal }),
  registered: (query: Query, signal?: AbortSignal) =>
    request<RegisteredAgentList>("GET", "registry/agents", { query, signal }),
  tokens: (query: Paging, signal?: AbortSignal) =>
    request<TokenList>("GET", "tokens", { query: { ...query }, signal }),
  createToken: (body: NewToken) => request<IssuedToken>("POST", "tokens", { body }),
  rotateToken: (id: string) => request<IssuedToken>("POST", `tokens/${segment(id)}/rotate`, { body: {} }),
  revokeToken: (id: string) => request<Token>("POST", `tokens/${segment(id)}/revoke`, { body: {} }),
  audit: (query: Query, signal?: AbortSignal) => request<AuditList>("GET", "audit", { query, signal }),
  metrics: async (signal?: AbortSignal): Promise<string> => (await send("GET", "metrics", { signal })).text(),
  health: (signal?: AbortSignal) => request<Record<string, unknown>>("GET", "healthz", { signal }),
};
