// Written from the OpenAPI document by scripts/api-types.ts. After a change of the API:
// UPDATE_TABLES=1 npx vitest run packages/proctor/test/dashboard-types.test.ts

export type Agent = {
  name: string;
  /** In short notation: `atp+stdio:python agent.py`. */
  address: string;
  created_at: string;
  /** `atp`, `a2a`, `term`, … */
  protocol: string;
  /** `stdio`, `http`, `ws`, `grpc`, … */
  transport: string;
  /** For transports that start a program. */
  command?: string[];
  /** For transports that connect. */
  url?: string;
  /** Values are secrets; read back as `***`. */
  env?: Record<string, string>;
  /** Values are secrets; read back as `***`. */
  headers?: Record<string, string>;
  /** Where a program lives: `local`, `bwrap`, `container`. */
  environment?: "bwrap" | "container" | "local";
  /** Directory in which the program is started. */
  cwd?: string;
  /** Variables that clients may set for the program, though they could make it load code. */
  client_env?: string[];
  /** What only its protocol understands and checks: how requests are written, where the answer is. Shown as it is; secrets belong in `headers`. */
  options?: Record<string, unknown>;
  /** How many runs it takes at once. */
  concurrency?: number;
  /** Labels that a worker must have to carry out its runs. */
  requires?: string[];
  /** What the agent is for; its A2A card says it. */
  description?: string;
  /** The agent's own version; its A2A card says it. */
  version?: string;
  /** What the agent can do: skills in its A2A card. */
  capabilities?: ({
    /** Unique among the agent's capabilities. */
    name: string;
    description?: string;
    /** JSON Schema of its input. */
    parameters?: Record<string, unknown>;
    /** JSON Schema of its output. */
    returns?: Record<string, unknown>;
    /** The capability's own version; the agent's counts when absent. */
    version?: string;
    /** Doing it twice does no more than doing it once. */
    idempotent?: boolean;
    /** What one call may cost, as far as the agent knows. */
    cost?: {
      usd?: number;
      tokens?: number;
      seconds?: number;
    };
    /** What happens to an output that does not fit `returns`: `violation` when absent. */
    on_mismatch?: "violation" | "fail";
    tags?: string[];
    /** Things that one may ask it for. */
    examples?: string[];
  })[];
};

export type AgentHealth = {
  state: AgentState;
  /** When the state began, as far as it is known. */
  since: string | null;
  /** When the agent was last heard of: a beat, a probe or a run. */
  seen_at: string | null;
  load: Load | null;
  /** What the agent, a probe or a run said is wrong. */
  trouble: string | null;
  measured: MeasuredAnswers;
};

export type AgentList = {
  items: Agent[];
  /** Null at the end of the list. */
  next_cursor: string | null;
};

/** The long form of an agent's address. */
export type AgentSpec = {
  /** `atp`, `a2a`, `term`, … */
  protocol: string;
  /** `stdio`, `http`, `ws`, `grpc`, … */
  transport: string;
  /** For transports that start a program. */
  command?: string[];
  /** For transports that connect. */
  url?: string;
  /** Values are secrets; read back as `***`. */
  env?: Record<string, string>;
  /** Values are secrets; read back as `***`. */
  headers?: Record<string, string>;
  /** Where a program lives: `local`, `bwrap`, `container`. */
  environment?: "bwrap" | "container" | "local";
  /** Directory in which the program is started. */
  cwd?: string;
  /** Variables that clients may set for the program, though they could make it load code. */
  client_env?: string[];
  /** What only its protocol understands and checks: how requests are written, where the answer is. Shown as it is; secrets belong in `headers`. */
  options?: Record<string, unknown>;
  /** How many runs it takes at once. */
  concurrency?: number;
  /** Labels that a worker must have to carry out its runs. */
  requires?: string[];
};

export type AgentState = "unknown" | "online" | "suspect" | "offline" | "draining";

export type AnswerOutcome = "given" | "declined";

/** Who answers: a program, a person, or a simulated user. */
export type Answerer = {
  kind: AnswererKind;
  name?: string;
};

export type AnswererKind = "client" | "human" | "simulator";

export type ApprovalPolicy = {
  /** What happens when nobody answers; `wait` when absent. */
  on_silence?: "wait" | "halt" | "approve" | "reject";
  /** Seconds until nobody has answered; 3600 when absent. `wait` does not use it. */
  after_seconds?: number;
  /** Who is told, each by an envelope: `user:ada`. */
  notify?: string[];
};

/** Something the run produced. Its bytes are at `/content`. */
export type Artifact = {
  id: string;
  type: ArtifactKind;
  /** Of a file or a reference: the name the agent gave. */
  path?: string;
  /** Of structured data. */
  name?: string;
  schema?: string;
  /** Structured data itself, when it is small. */
  data?: unknown;
  content_type?: string;
  size_bytes?: number;
  /** `sha256:<hex>` of the stored bytes. */
  content_hash?: string;
  /** False for what a client gave. */
  agent_created?: boolean;
  /** Of a client's file: its base name. */
  file_name?: string;
  /** Of a client's file: when it came. */
  created_at?: string;
  /** Of a client's file: its name in the artifacts directory. */
  stored_as?: string;
  /** Of a client's file: the step it belongs to. */
  step_id?: string;
  /** Why the bytes of a file that was there are not kept. */
  omitted?: string;
  /** Why nobody looked for secrets inside packed bytes. */
  unsearched?: string;
  /** True when secrets were replaced in the stored bytes. */
  redacted?: boolean;
};

export type ArtifactKind = "file" | "structured" | "reference";

export type ArtifactList = {
  items: Artifact[];
  /** Null at the end of the list. */
  next_cursor: string | null;
};

/** Who may answer. */
export type Audience = "client" | "human" | "simulator";

export type AuditEntry = {
  /** Grows with every entry. */
  sequence: number;
  at: string;
  /** Who did it; `nobody` for a refused caller. */
  actor: string;
  /** `token.created`, `token.refused`, `agent.registered`, … */
  action: string;
  subject: string;
  details: unknown;
};

export type AuditList = {
  items: AuditEntry[];
  /** Null at the end of the list. */
  next_cursor: string | null;
};

export type BlobPart = {
  kind: "blob";
  /** `sha256:<hex>` of the bytes. */
  content_hash: string;
  size_bytes: number;
  media_type?: string;
  name?: string;
};

export type BrokenRule = {
  id: string;
  title: string;
  /** Whose rule it is: the protocol's document, or Proctor. */
  owner: "document" | "proctor";
  /** Where the document says it. */
  section?: string;
  level: "must" | "should" | "may";
  grade: "failed" | "warning" | "advice" | "disputed";
  /** What was seen. */
  reason?: string;
};

/** How a case compares with the baseline. */
export type CaseChange = "regressed" | "improved" | "unchanged" | "undecided" | "new" | "missing";

export type CaseChanges = {
  regressed: number;
  improved: number;
  unchanged: number;
  undecided: number;
  new: number;
  missing: number;
};

export type CaseComparison = {
  suite: string;
  test_id: string;
  agent: string;
  change: CaseChange;
  /** Whether the case itself was edited since. */
  edited: boolean;
  before: SideOfCase | null;
  after: SideOfCase | null;
  /** p of Fisher's exact test, one-sided towards worse. */
  p_worse: number | null;
  /** The same after Holm's correction over all cases. */
  p_worse_adjusted: number | null;
  p_better_adjusted: number | null;
  p_score: number | null;
  detectable_drop: number | null;
  runs_needed?: number | null;
};

export type CaseHistory = {
  items: CasePoint[];
  /** Null at the end of the list. */
  next_cursor: string | null;
};

/** How a case came out in one evaluation. */
export type CasePoint = {
  /** The same for the same suite, test and agent in every evaluation. */
  id: string;
  evaluation_id: string;
  /** The place of the case in the plan, from 0. */
  number: number;
  suite: string;
  test_id: string;
  name: string;
  agent: string;
  /** Hash of the task, its environment and its checks. */
  key: string;
  verdict: EvaluationVerdict;
  runs: number;
  pass_rate: PassRate | null;
  /** The chance that two runs disagree. */
  flakiness: number | null;
  cost_usd: number | null;
  total_tokens: number | null;
  duration_ms: number;
  settled_at: string;
  /** Since the baseline; null where there is none. */
  change: CaseChange | null;
  evaluation_name: string;
  evaluation_status: EvaluationStatus;
  git_commit: string | null;
};

export type CaseSummary = {
  /** The same for the same suite, test and agent in every evaluation. */
  id: string;
  evaluation_id: string;
  /** The place of the case in the plan, from 0. */
  number: number;
  suite: string;
  test_id: string;
  name: string;
  agent: string;
  /** Hash of the task, its environment and its checks. */
  key: string;
  verdict: EvaluationVerdict;
  runs: number;
  pass_rate: PassRate | null;
  /** The chance that two runs disagree. */
  flakiness: number | null;
  cost_usd: number | null;
  total_tokens: number | null;
  duration_ms: number;
  settled_at: string;
  /** Since the baseline; null where there is none. */
  change: CaseChange | null;
};

export type ComparedMeasure = {
  name: MeasureName;
  before: number;
  after: number;
  cases: number;
  p: number;
  p_adjusted: number;
};

export type ComparedSet = {
  name: string;
  created_at: string;
};

/** What `proctor compare` says of two sets of results. */
export type Comparison = {
  before: ComparedSet;
  after: ComparedSet;
  alpha: number;
  overall: OverallComparison;
  measures?: ComparedMeasure[];
  /** Whether something got significantly worse. */
  regression: boolean;
  outcome: EvaluationVerdict;
  /** In words, one line each. */
  findings: string[];
  cases: CaseComparison[];
};

export type Compensation = {
  /** Name or address of the agent that does it. */
  agent?: string;
  /** What the agent must be able to do; the best one is chosen. */
  capability?: string;
  /** A range of versions of the capability, in the notation of npm. */
  version?: string;
  input?: unknown;
  description?: string;
};

/** Every test that is named must hold. */
export type ConditionTest = {
  /** What is tested; usually a reference. */
  value: unknown;
  equals?: unknown;
  not_equals?: unknown;
  /** The value is one of these. */
  in?: unknown[];
  /** The value is a number greater than this. */
  greater?: number;
  /** The value is a number less than this. */
  less?: number;
  /** Whether the reference leads to something; null is something. */
  exists?: boolean;
};

/** What the newest trial of an agent's conformance came to. */
export type ConformanceReport = {
  protocol: string;
  /** The protocol and its versions as people write them. */
  title: string;
  transport: string;
  /** The version of Proctor that tried the rules. */
  proctor_version: string;
  checked_at: string;
  strict: boolean;
  /** False when the agent could not be reached, and no rule was kept. */
  reachable: boolean;
  verdict: "pass" | "fail" | "unevaluated";
  counts: {
    passed: number;
    failed: number;
    warnings: number;
    advice: number;
    disputed: number;
    unevaluated: number;
  };
  /** The rules that were not kept. */
  broken: BrokenRule[];
};

export type ConformanceReportList = {
  /** One for each protocol that was tried. */
  items: ConformanceReport[];
};

/** Limits that the hub enforces. Absent means unlimited, except the timeout. */
export type Constraints = {
  max_steps?: number;
  max_tokens?: number;
  /** 300 when absent. */
  timeout_seconds?: number;
  budget_usd?: number;
  /** Absent or null: all. Empty: none. */
  allowed_tools?: string[] | null;
};

/** What the agent may use. */
export type Context = {
  tools_endpoint?: string;
  workspace_path?: string;
  /** Values are secrets: never stored, logged or shown. */
  environment?: Record<string, string>;
};

/** Runs that go on from one another, and what was said in them. */
export type Conversation = {
  id: string;
  /** The oldest first. */
  runs: Run[];
  messages: ConversationMessage[];
  /** True when more was said than is shown; the newest is shown. */
  cut: boolean;
};

export type ConversationMessage = {
  run_id: string;
  /** Of the event that completed it; null for what stands in the task or in the result. */
  sequence: number | null;
  message: Message;
};

/** What happens to the agent's questions. */
export type ConversationOptions = {
  /** By kind of question, `ask` where a kind is not named: `ask` any client, `ask_human`, `simulate` (only a simulated user answers), `allow`, `deny`, or `{answer}`. */
  policy?: {
    input?: "ask" | "ask_human" | "allow" | "deny" | "simulate" | {
      answer: unknown;
    };
    form?: "ask" | "ask_human" | "allow" | "deny" | "simulate" | {
      answer: unknown;
    };
    permission?: "ask" | "ask_human" | "allow" | "deny" | "simulate" | {
      answer: unknown;
    };
    approval?: "ask" | "ask_human" | "allow" | "deny" | "simulate" | {
      answer: unknown;
    };
    auth?: "ask" | "ask_human" | "allow" | "deny" | "simulate" | {
      answer: unknown;
    };
  };
  /** Looked at before `policy`; the first rule that fits decides. */
  rules?: ({
    kind?: "input" | "form" | "permission" | "approval" | "auth";
    /** The tool that the question is about; `*` stands for any characters. */
    tool?: string;
    /** A path that the question is about; `*` and `**` as in file patterns. */
    path?: string;
    /** A text that the question contains. */
    text?: string;
    policy: "ask" | "ask_human" | "allow" | "deny" | "simulate" | {
      answer: unknown;
    };
  })[];
  /** Seconds until a question expires that says nothing about it; 3600 when absent. */
  expires_seconds?: number;
  /** By kind of question, how it is answered once its time is over and nobody has: `allow`, `deny` or `{answer}`. */
  silence?: {
    input?: "allow" | "deny" | {
      answer: unknown;
    };
    form?: "allow" | "deny" | {
      answer: unknown;
    };
    permission?: "allow" | "deny" | {
      answer: unknown;
    };
    approval?: "allow" | "deny" | {
      answer: unknown;
    };
  };
  /** People (`user:ada`) who get an envelope for each question that a person may answer, and may answer by one. */
  notify?: string[];
};

export type DataPart = {
  kind: "data";
  data: unknown;
  media_type?: string;
  name?: string;
};

export type Doer = {
  /** Name or address of the agent that does it. */
  agent?: string;
  /** What the agent must be able to do; the best one is chosen. */
  capability?: string;
  /** A range of versions of the capability, in the notation of npm. */
  version?: string;
};

/** A stand-in that runs as a program of its own. */
export type Double = {
  kind: DoubleKind;
  /** The file that it plays, or what it is. */
  name: string;
  /** Where agents and clients reach it. */
  address: string;
  host: string;
  pid: number;
  id: string;
  /** `gone`: nothing was heard of it for a few seconds; `ended`: it said so. */
  state: "live" | "gone" | "ended";
  started_at: string;
  seen_at: string;
  ended_at: string | null;
  /** How many requests it was asked, also those that are no longer kept. */
  requests: number;
  /** How many of them nothing in its script matched. */
  unmatched: number;
  /** How many are no longer kept: the newest 1,000 are. */
  dropped: number;
};

export type DoubleKind = "agent" | "tools" | "model" | "oauth" | "push";

export type DoubleList = {
  items: Double[];
  /** Null at the end of the list. */
  next_cursor: string | null;
};

export type DoubleRequest = {
  /** Counts from 1. */
  number: number;
  at: string;
  /** The operation, tool, model or endpoint. */
  asked: string;
  /** Its body, without secrets; the beginning of its text where it is long. */
  request: unknown;
  answered: unknown;
  /** The script, rule or answer that was used; null where none was. */
  matched: string | null;
  /** Nothing in the script was for it, or it was refused. */
  unmatched: boolean;
};

export type DoubleRequestList = {
  items: DoubleRequest[];
  /** Null at the end of the list. */
  next_cursor: string | null;
};

/** Where the terminal of the run lives. */
export type Environment = {
  /** The strongest that the hub has unless said. */
  kind?: "bwrap" | "container" | "local";
  /** A directory whose Dockerfile is built. */
  build?: string;
  /** A container image. */
  image?: string;
  /** A directory that is the root of the file system. */
  root?: string;
  /** strict: one user. multi-user: useradd, chown and su work. auto: multi-user where possible. */
  profile?: "strict" | "multi-user" | "auto";
  /** Where commands start; /app unless a Dockerfile says otherwise. */
  workdir?: string;
  /** Whose commands they are. */
  user?: string;
  /** Variables of every process in it. No secrets. */
  env?: Record<string, string>;
  /** What it may reach; none unless said. */
  network?: "none" | "loopback" | "allow-list" | "host";
  /** For allow-list: host, host:port, *.host. */
  allow_hosts?: string[];
  /** Limits of everything in it. */
  limits?: {
    /** Memory of everything in it. */
    memory_mb?: number;
    /** Processes at once. */
    processes?: number;
    /** What may be written. */
    disk_mb?: number;
    /** Processors. */
    cpus?: number;
    /** Of the output of one command. */
    output_mb?: number;
  };
  /** Copied in before anything runs. */
  files?: {
    /** A file, or a directory whose content is taken. */
    source: string;
    /** Where it stands inside. */
    target: string;
  }[];
  /** When the state of the files is kept. */
  snapshots?: "each" | "auto" | "last" | "off";
  /** apt-get, pip and uv install what the machine has already, without a network. */
  toolchain?: boolean;
  /** How long a build may take; 600 unless said. */
  build_timeout_seconds?: number;
  /** Begins with the files as they were after a step of another run. */
  from?: {
    run_id: string;
    step?: number;
  };
  /** The terminal stays open after the run until it is released, at most an hour. */
  hold?: boolean;
};

/** Every error of this API. */
export type Error = {
  /** The HTTP status in words. */
  error: string;
  code: ErrorCode;
  /** What is wrong, where, and what to do next. */
  message: string;
  /** For a malformed request: a list of {path, message}. */
  details?: unknown;
};

/** Stable; what a program should look at. */
export type ErrorCode = "INVALID_REQUEST" | "INVALID_CURSOR" | "PLAN_INVALID" | "UNKNOWN_SCHEME" | "UNAUTHORIZED" | "FORBIDDEN" | "SCOPE_MISSING" | "RUN_NOT_FOUND" | "TASK_NOT_FOUND" | "AGENT_NOT_FOUND" | "WORKER_NOT_FOUND" | "DOUBLE_NOT_FOUND" | "ARTIFACT_NOT_FOUND" | "STEP_NOT_FOUND" | "QUESTION_NOT_FOUND" | "CONVERSATION_NOT_FOUND" | "GOAL_NOT_FOUND" | "EVALUATION_NOT_FOUND" | "TOKEN_NOT_FOUND" | "TOOL_NOT_FOUND" | "MESSAGE_NOT_FOUND" | "CAPABILITY_NOT_FOUND" | "NOT_FOUND" | "REQUEST_TIMEOUT" | "HEADERS_TOO_LARGE" | "METHOD_NOT_ALLOWED" | "ILLEGAL_TRANSITION" | "IDEMPOTENCY_CONFLICT" | "AGENT_EXISTS" | "TOOL_EXISTS" | "EVALUATION_EXISTS" | "EVALUATION_RUNNING" | "LEASE_LOST" | "MESSAGE_TOO_OLD" | "CHANGED_MEANWHILE" | "RUN_ENDED" | "ANSWERED_ALREADY" | "CONVERSATION_BUSY" | "NOT_SUPPORTED" | "NAME_TAKEN" | "LIMIT_REACHED" | "NOT_ACCEPTABLE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RANGE_NOT_SATISFIABLE" | "UPGRADE_REQUIRED" | "RATE_LIMITED" | "INBOX_FULL" | "INTERNAL_ERROR" | "STORE_UNAVAILABLE" | "NO_WORKER" | "SHUTTING_DOWN" | "OWNER_SILENT" | "LOOP_DETECTED" | "STORE_FULL" | "USAGE" | "CONFIG_INVALID" | "SUITE_INVALID" | "JUDGE_MISSING" | "FILE_UNREADABLE" | "DATA_DIR_LOCKED" | "DATA_DIR_UNWRITABLE" | "DATABASE_TOO_NEW" | "DATABASE_CORRUPT" | "HUB_UNREACHABLE" | "ENVIRONMENT_UNAVAILABLE" | "BUILD_FAILED" | "TASK_INVALID" | "UNSAFE_BIND" | "INTERRUPTED";

/** One invocation of suites with all its verdicts. */
export type Evaluation = {
  id: string;
  name: string;
  status: EvaluationStatus;
  started_at: string;
  ended_at: string | null;
  suites: EvaluationSuite[];
  agents: string[];
  planned: EvaluationPlan;
  totals: EvaluationTotals;
  /** Why not everything was run. */
  stopped: EvaluationStop | null;
  /** That of `proctor test`; null until it has ended. */
  exit_code: number | null;
  /** With the baseline; its cases hold theirs. */
  comparison: EvaluationComparison | null;
  metadata: EvaluationMetadata;
  /** `operator`, or the token that recorded it. */
  started_by: string;
  /** How many times a later invocation continued it. */
  resumed: number;
  /** Until when its client is taken to be there. */
  alive_until: string | null;
};

/** How one test came out with one agent. */
export type EvaluationCase = {
  /** The same for the same suite, test and agent in every evaluation. */
  id: string;
  evaluation_id: string;
  /** The place of the case in the plan, from 0. */
  number: number;
  suite: string;
  test_id: string;
  name: string;
  agent: string;
  /** Hash of the task, its environment and its checks. */
  key: string;
  verdict: EvaluationVerdict;
  runs: number;
  pass_rate: PassRate | null;
  /** The chance that two runs disagree. */
  flakiness: number | null;
  cost_usd: number | null;
  total_tokens: number | null;
  duration_ms: number;
  settled_at: string;
  /** Since the baseline; null where there is none. */
  change: CaseChange | null;
  file: string;
  line: number;
  tags: string[];
  reason: string | null;
  /** Whether a `pass_rate` decided when to stop. */
  gated: boolean;
  /** Those that judge all runs together. */
  checks: EvaluationCheck[];
  run_results: EvaluationRun[];
  /** Runs that are not in the list because there were too many. */
  runs_omitted: number;
  comparison: CaseComparison | null;
};

export type EvaluationCaseList = {
  items: EvaluationCase[];
  /** Null at the end of the list. */
  next_cursor: string | null;
};

export type EvaluationCheck = {
  type: string;
  verdict: EvaluationVerdict;
  reason: string;
  critical: boolean;
  turn: number | null;
};

export type EvaluationComparison = {
  before: ComparedSet;
  after: ComparedSet;
  alpha: number;
  overall: OverallComparison;
  measures?: ComparedMeasure[];
  /** Whether something got significantly worse. */
  regression: boolean;
  outcome: EvaluationVerdict;
  /** In words, one line each. */
  findings: string[];
  changes: CaseChanges;
};

/** The state that something of an evaluation has now. */
export type EvaluationEvent = {
  type: EvaluationEventType;
  evaluation_id: string;
  /** With `evaluation.changed`. */
  evaluation?: Evaluation;
  /** With `evaluation.case`. */
  case?: CaseSummary;
};

export type EvaluationEventType = "evaluation.changed" | "evaluation.case" | "evaluation.removed";

export type EvaluationList = {
  items: Evaluation[];
  /** Null at the end of the list. */
  next_cursor: string | null;
};

export type EvaluationMatrix = {
  evaluation_id: string;
  agents: string[];
  tests: MatrixRow[];
  /** Null when all cases are here. */
  next_cursor: string | null;
};

export type EvaluationMetadata = {
  git_commit: string | null;
  git_branch: string | null;
  host: string | null;
  proctor_version: string | null;
};

export type EvaluationPlan = {
  cases: number;
  /** At most: a `pass_rate` may be decided earlier. */
  runs: number;
};

export type EvaluationRun = {
  number: number;
  /** Null when the hub did not take it. */
  run_id: string | null;
  verdict: EvaluationVerdict;
  /** `run`: the agent did it now. All others were done before. */
  source: string;
  status: string | null;
  score: number | null;
  failure_code: string | null;
  reason: string | null;
  latency_ms: number | null;
  cost_usd: number | null;
  total_tokens: number | null;
  checks: EvaluationCheck[];
};

/** `interrupted` also when the client went silent before it said that it was done. */
export type EvaluationStatus = "running" | "completed" | "interrupted";

export type EvaluationStop = "interrupted" | "fail-fast" | "max-cost";

export type EvaluationSuite = {
  name: string;
  file: string;
};

/** The cases of the evaluations that began in the stretch. */
export type EvaluationTally = {
  evaluations: number;
  passed: number;
  failed: number;
  unevaluated: number;
  /** The share of passes among the evaluated cases. */
  pass_rate: number | null;
  /** Those with an evaluation, in order. */
  buckets: EvaluationsBucket[];
};

export type EvaluationTotals = {
  /** Cases that have settled so far. */
  cases: number;
  passed: number;
  failed: number;
  unevaluated: number;
  /** Tests that were left out because they cannot be run. */
  skipped: number;
  runs: number;
  total_tokens: number;
  cost_usd: number;
};

export type EvaluationVerdict = "pass" | "fail" | "unevaluated";

/** By when the evaluations began. */
export type EvaluationsBucket = {
  at: string;
  passed: number;
  failed: number;
  unevaluated: number;
  /** The share of passes among the evaluated cases. */
  pass_rate: number | null;
};

/** One appended fact about a run. */
export type Event = {
  run_id: string;
  /** Durable, without gaps, from 0. */
  sequence: number;
  timestamp: string;
  /** `run.created`, `tool_call`, `question.asked`, `message.added`, `run.ended`, … */
  type: string;
  payload: Record<string, unknown>;
  /** What the agent's message said about itself. */
  origin?: Record<string, unknown>;
  /** Of a `brief` page: the payload is not the whole one. */
  cut?: true;
};

export type EventList = {
  items: Event[];
  /** Null at the end of the list. */
  next_cursor: string | null;
};

export type ExpectedArtifactKind = "file" | "structured";

/** Why the run did not complete. Data about the agent, not an error of this API. */
export type Failure = {
  code: string;
  message: string;
  details?: Record<string, unknown>;
};

/** A place of a run from which another can go on: after a message, after a step, or at its end. */
export type ForkPoint = {
  kind: "message";
  /** What to send as `after`. */
  sequence: number;
} | {
  kind: "step";
  /** What to send as `step`. */
  step: number;
} | {
  kind: "end";
};

export type ForkPoints = {
  /** In order; none while the run has not ended. */
  points: ForkPoint[];
};

export type ForkRequest = {
  /** Sequence of something that the agent said: the fork knows nothing later. The run's end when neither this nor `step` is given. */
  after?: number;
  /** A step of a terminal: the fork begins with the files as they were after it. */
  step?: number;
  /** What is said next; at a step it takes the place of the task, and may be absent. */
  message?: string;
  /** A registered name, an address such as `atp+stdio:python agent.py`, or the long form. */
  agent?: string | AgentSpec;
  constraints?: Constraints;
};

/** What is asked of several agents, and how far it is. */
export type Goal = {
  /** Id of the goal's run: `/runs/{id}` has its log, and steers it. */
  id: string;
  goal: string;
  status: "created" | "queued" | "running" | "waiting" | "paused" | "completed" | "failed" | "timeout" | "cancelled" | "partial" | "rejected";
  /** Null until there is one. */
  plan: {
    source: "given" | "template" | "capability" | "agent" | "rerun";
    tasks: number;
    /** Tasks that are no groups. */
    work: number;
    /** The run of the agent that planned. */
    run_id?: string;
    /** Plans that were refused before this one. */
    refused: number;
  } | null;
  /** Sub-tasks by status. */
  counts: Record<string, number>;
  budget: GoalBudget;
  spent: {
    runs: number;
    live: number;
    total_tokens: number;
    cost_usd: number;
    total_steps: number;
  };
  questions: Question[];
  failure: {
    code: string;
    message: string;
    details?: Record<string, unknown>;
  } | null;
  artifacts: Artifact[];
  rerun_of: string | null;
  conversation_id: string;
  trace_id: string;
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
};

/** What the whole tree of runs may use up. */
export type GoalBudget = {
  seconds?: number;
  tokens?: number;
  cost_usd?: number;
  /** Runs below the goal, those of planners and reviewers included. */
  runs?: number;
};

/** What differs between two executions, task by task. */
export type GoalDiff = {
  goals: string[];
  tasks: ({
    key: string;
    status: (SubtaskStatus | null)[];
    agent: (string | null)[];
    attempts: number[];
    output: unknown[];
    seconds: (number | null)[];
    cost_usd: (number | null)[];
    tokens: (number | null)[];
  })[];
  /** How many tasks do not differ. */
  equal: number;
};

export type GoalList = {
  items: Goal[];
  /** Null at the end of the list. */
  next_cursor: string | null;
};

/** At most one of `plan`, `capability` and `planner`; none means any agent that plans. */
export type GoalRequest = {
  /** What is to be achieved. */
  goal: string;
  /** What is to be done, where it is known. */
  plan?: Plan;
  /** Values for `${params.…}`. */
  params?: Record<string, unknown>;
  /** JSON Schema of the params, for a plan that is a template. */
  parameters?: Record<string, unknown>;
  /** One task, for an agent that has this capability. */
  capability?: string;
  /** The input of that task. */
  input?: unknown;
  /** The agent that plans. */
  planner?: string;
  /** A person approves the plan before anything is done. */
  approve_plan?: boolean;
  budget?: GoalBudget;
  /** Sub-tasks at work at once; 50 when absent. */
  concurrency?: number;
  /** Who looks at outputs, where a task says nothing about it. */
  review?: Review;
  approvals?: ApprovalPolicy;
  /** The model endpoint of every run that works for the goal, where its task says nothing else. */
  llm?: {
    /** Terminal agents have a model unless this is false. */
    enabled?: boolean;
    /** The hub's own unless said. */
    model?: string;
    /** Refused when spent. */
    budget_usd?: number;
  };
  conversation_id?: string;
  metadata?: Record<string, unknown>;
};

export type HealthEntry = {
  at: string;
  state: AgentState;
  reason: string;
};

export type HealthHistory = {
  items: HealthEntry[];
  /** Null at the end of the list. */
  next_cursor: string | null;
};

export type IssuedToken = {
  token: Token;
  /** The text to send as a bearer token. It is never shown again. */
  secret: string;
  /** True for the token that closed the hub. */
  closed_hub?: boolean;
};

/** Servers that the agent meets, as in a suite. */
export type Labs = Record<string, unknown>;

/** The run's own model endpoint. */
export type Llm = {
  /** Terminal agents have a model unless this is false. */
  enabled?: boolean;
  /** The hub's own unless said. */
  model?: string;
  /** Refused when spent. */
  budget_usd?: number;
};

export type Load = {
  /** Tasks at work. */
  active?: number;
  /** Tasks that it takes at once. */
  capacity?: number;
  /** Tasks that wait. */
  queued?: number;
};

export type MatrixCell = {
  case_id: string;
  /** The place of the case in the plan, from 0. */
  number: number;
  agent: string;
  verdict: EvaluationVerdict;
  runs: number;
  pass_rate: number | null;
  /** The Wilson interval of the pass rate begins here. */
  low: number | null;
  high: number | null;
  flakiness: number | null;
  cost_usd: number | null;
  duration_ms: number;
  change: CaseChange | null;
};

export type MatrixRow = {
  suite: string;
  test_id: string;
  name: string;
  /** One for each agent that the test has settled with. */
  cells: MatrixCell[];
};

export type MeasureName = "score" | "latency_ms" | "cost_usd";

export type MeasuredAnswers = {
  runs: number;
  completed: number;
  /** Moving average; null before the first run. */
  latency_ms: number | null;
  /** Share of completed runs, moving average. */
  success_rate: number | null;
  cost_usd: number | null;
  /** Runs that a test judged. */
  judged: number;
  /** Share of judged runs that passed, moving average. */
  quality: number | null;
};

/** Something that was said in a run. */
export type Message = {
  id: string;
  role: MessageRole;
  parts: Part[];
  references?: string[];
  extensions?: Record<string, unknown>;
};

export type MessageList = {
  items: ConversationMessage[];
  /** Null at the end of the list. */
  next_cursor: string | null;
};

export type MessageRole = "user" | "agent";

export type Metrics = {
  total_tokens?: number;
  input_tokens?: number;
  output_tokens?: number;
  total_steps?: number;
  tool_calls?: number;
  llm_calls?: number;
  wall_time_seconds?: number;
  cost_usd?: number;
  /** Calls that the hub saw at the run's tool endpoint. */
  observed_tool_calls?: number;
};

/** Only an option allows an action; free text never does. */
export type NewAnswer = {
  question_id: string;
  /** An answer with the same id is taken once; a new one when absent. */
  id?: string;
  /** `{kind: client}` when absent. */
  by?: Answerer;
  /** `given` when absent; `declined` with an option that denies. */
  outcome?: AnswerOutcome;
  /** Id or exact name of one of the options. */
  option?: string;
  parts?: NewPart[];
  /** Short for one part of text; not together with `parts`. */
  text?: string;
  /** The data that a form asks for. */
  data?: unknown;
};

export type NewBlobPart = {
  kind: "blob";
  /** `sha256:<hex>` of the bytes. */
  content_hash: string;
  size_bytes: number;
  media_type?: string;
  name?: string;
};

export type NewDataPart = {
  kind: "data";
  data: unknown;
  media_type?: string;
  name?: string;
};

/** What a client says: `parts`, or `text` for short. */
export type NewMessage = {
  /** A message with the same id is taken once; a new one when absent. */
  id?: string;
  parts?: NewPart[];
  /** Short for one part of text; not together with `parts`. */
  text?: string;
  /** Ids of runs or messages that it speaks of. */
  references?: string[];
  /** Fields of another protocol's message, kept. */
  extensions?: Record<string, unknown>;
};

/** A piece of what a client says. */
export type NewPart = NewTextPart | NewDataPart | NewBlobPart | NewUrlPart;

export type NewTextPart = {
  kind: "text";
  text: string;
  media_type?: string;
  name?: string;
};

export type NewToken = {
  /** `api` for people and programs, `enrol` for one registration, `agent` for the agent that registered. */
  kind?: "api" | "enrol" | "agent";
  /** What people call it. */
  name: string;
  /** What it may do. An enrolment token may register an agent, whatever is here. */
  scopes: Scope[];
  binding?: TokenBinding;
  /** Seconds until it expires, 90 days when absent; null for one that never does. */
  expires_in_seconds?: number | null;
  rate?: TokenRate;
};

export type NewUrlPart = {
  kind: "url";
  /** An address, which the hub never fetches by itself. */
  url: string;
  media_type?: string;
  name?: string;
};

/** A question that nobody has answered yet. */
export type OpenQuestion = {
  run_id: string;
  agent: string;
  conversation_id: string;
  /** The goal that asks, or that the run works for. */
  goal: {
    id: string;
    title: string;
  } | null;
  question: Question;
};

export type OptionEffect = "allow" | "deny" | "other";

export type OverallComparison = {
  cases: number;
  only_before: number;
  only_after: number;
  p_worse: number;
  p_better: number;
  p_worse_adjusted?: number;
  p_better_adjusted?: number;
  score_difference: number | null;
  p_score: number | null;
  detectable_flips: number;
};

/** A piece of what was said: text, data, bytes, or an address. */
export type Part = TextPart | DataPart | BlobPart | UrlPart;

/** The share of passes, with its Wilson interval. */
export type PassRate = {
  value: number;
  low: number;
  high: number;
  confidence: number;
};

/** Tasks, and what each of them waits for. */
export type Plan = {
  tasks: PlanTask[];
  /** What the goal yields, with references; when absent, the outputs of the tasks that no other task waits for, by their ids. */
  output?: unknown;
};

export type PlanPreview = {
  /** Null where an agent would plan. */
  plan: Plan | null;
  problems: {
    path: string;
    message: string;
  }[];
  /** By task, of the first 200. */
  routes: Record<string, RouteDecision>;
};

/** Title, description, input, `foreach` and `when` may hold references: `${tasks.a.output.x}`, `${params.p}`, `${goal}`; with `foreach`, the first three also `${item}` and `${index}`. `$${` stands for `${` itself. */
export type PlanTask = {
  /** Unique in the plan. */
  id: string;
  title?: string;
  /** What the agent is told; the title, or the goal, when absent. */
  description?: string;
  /** Name or address of the agent that does it. */
  agent?: string;
  /** What the agent must be able to do; the best one is chosen. */
  capability?: string;
  /** A range of versions of the capability, in the notation of npm. */
  version?: string;
  /** Labels that the agent must have. */
  labels?: Record<string, string>;
  /** An object, or a reference to one. */
  input?: unknown;
  /** Ids of tasks, or groups, that must have ended well before this one begins. */
  dependsOn?: string[];
  /** The group that the task belongs to: a task with neither agent nor capability. */
  parentId?: string;
  /** A list, or a reference to one: the task is carried out once for each of its items. */
  foreach?: unknown;
  /** The task is skipped where this does not hold: one reference, or a test. */
  when?: string | ConditionTest;
  /** Runs with the same key go to the same agent and are one conversation. */
  conversation?: string;
  retry?: {
    max_attempts: number;
    initial_delay_ms?: number;
    max_delay_ms?: number;
    multiplier?: number;
    /** Failure codes worth another attempt. */
    on?: string[];
  };
  timeout_seconds?: number;
  constraints?: {
    max_steps?: number;
    max_tokens?: number;
    timeout_seconds?: number;
    budget_usd?: number;
    /** Absent or null: all. Empty: none. */
    allowed_tools?: string[] | null;
  };
  /** The model endpoint of its runs; that of the goal when absent. */
  llm?: {
    /** Terminal agents have a model unless this is false. */
    enabled?: boolean;
    /** The hub's own unless said. */
    model?: string;
    /** Refused when spent. */
    budget_usd?: number;
  };
  /** What happens when the task has failed for good; `fail` when absent. */
  on_failure?: "fail" | "continue" | "fallback" | "compensate";
  /** Who does it instead; the next best agent when absent. */
  fallback?: Doer;
  /** How to undo the task after it was completed. */
  compensate?: Compensation;
  /** Who looks at the output; the goal's own review when absent. */
  review?: Review;
};

/** What an agent wants to know before it goes on. */
export type Question = {
  id: string;
  kind: QuestionKind;
  parts: Part[];
  /** JSON Schema of the data that a form asks for. */
  schema?: Record<string, unknown>;
  options?: QuestionOption[];
  /** The exact action to approve. */
  subject?: Record<string, unknown>;
  /** sha256 of the subject's canonical JSON. */
  subject_hash?: string;
  /** The agent does nothing before it is answered. */
  blocking: boolean;
  audience: Audience;
  expires_at: string;
  /** Who was told of it by an envelope. */
  notified?: string[];
};

export type QuestionKind = "input" | "form" | "permission" | "approval" | "auth";

export type QuestionList = {
  items: OpenQuestion[];
  /** Null at the end of the list. */
  next_cursor: string | null;
};

export type QuestionOption = {
  id: string;
  name: string;
  effect: OptionEffect;
};

export type RegisteredAgent = {
  name: string;
  /** In short notation: `atp+stdio:python agent.py`. */
  address: string;
  created_at: string;
  /** `atp`, `a2a`, `term`, … */
  protocol: string;
  /** `stdio`, `http`, `ws`, `grpc`, … */
  transport: string;
  /** For transports that start a program. */
  command?: string[];
  /** For transports that connect. */
  url?: string;
  /** Values are secrets; read back as `***`. */
  env?: Record<string, string>;
  /** Values are secrets; read back as `***`. */
  headers?: Record<string, string>;
  /** Where a program lives: `local`, `bwrap`, `container`. */
  environment?: "bwrap" | "container" | "local";
  /** Directory in which the program is started. */
  cwd?: string;
  /** Variables that clients may set for the program, though they could make it load code. */
  client_env?: string[];
  /** What only its protocol understands and checks: how requests are written, where the answer is. Shown as it is; secrets belong in `headers`. */
  options?: Record<string, unknown>;
  /** How many runs it takes at once. */
  concurrency?: number;
  /** Labels that a worker must have to carry out its runs. */
  requires?: string[];
  /** What the agent is for; its A2A card says it. */
  description?: string;
  /** The agent's own version; its A2A card says it. */
  version?: string;
  /** What the agent can do: skills in its A2A card. */
  capabilities?: ({
    /** Unique among the agent's capabilities. */
    name: string;
    description?: string;
    /** JSON Schema of its input. */
    parameters?: Record<string, unknown>;
    /** JSON Schema of its output. */
    returns?: Record<string, unknown>;
    /** The capability's own version; the agent's counts when absent. */
    version?: string;
    /** Doing it twice does no more than doing it once. */
    idempotent?: boolean;
    /** What one call may cost, as far as the agent knows. */
    cost?: {
      usd?: number;
      tokens?: number;
      seconds?: number;
    };
    /** What happens to an output that does not fit `returns`: `violation` when absent. */
    on_mismatch?: "violation" | "fail";
    tags?: string[];
    /** Things that one may ask it for. */
    examples?: string[];
  })[];
  kind: "leased" | "probed" | "managed";
  labels: Record<string, string>;
  stage: "development" | "testing" | "production" | "retired";
  metadata?: Record<string, unknown>;
  health: AgentHealth;
};

export type RegisteredAgentList = {
  items: RegisteredAgent[];
  /** Null at the end of the list. */
  next_cursor: string | null;
};

export type RerunRequest = {
  /** Tasks to do again, with all that depend on them; those that failed when absent. */
  from?: string[];
  /** By task: what is different this time. */
  changes?: Record<string, TaskChange>;
};

/** Another attempt is a new run; `retried_as` links to it. */
export type RetryPolicy = {
  max_attempts: number;
  initial_delay_ms?: number;
  max_delay_ms?: number;
  multiplier?: number;
  /** Failure codes worth another attempt. */
  on?: string[];
};

/** Who looks at an output: each stage that is named must agree. */
export type Review = {
  /** Checks as in a suite. */
  checks?: unknown[];
  /** An agent with the capability `review`: `true` for any, or its name. */
  agent?: true | string;
  /** What the agent, or the person, is to look at. */
  rubric?: string;
  /** A person decides. */
  human?: boolean;
  /** How often the work is done again; 2 when absent. */
  rounds?: number;
};

/** Why an agent was chosen. */
export type RouteDecision = {
  /** Null where nobody can do it. */
  agent: string | null;
  by: "named" | "affinity" | "score" | "fallback";
  capability?: string;
  /** The best first, at most twenty. */
  candidates: {
    agent: string;
    score: number;
    parts: Record<string, number>;
  }[];
  /** At most twenty. */
  rejected: {
    agent: string;
    reason: string;
  }[];
  /** How many agents could do it. */
  considered: number;
  /** How many have the capability and could not do it. */
  refused: number;
};

/** One attempt of one agent at one task. */
export type Run = {
  id: string;
  /** The registered name, or the address. */
  agent: string;
  status: RunStatus;
  task: Task;
  constraints: StoredConstraints;
  context: Context;
  metadata: Record<string, unknown>;
  options: StoredRunOptions;
  alias: string | null;
  retry: StoredRetryPolicy | null;
  attempt: number;
  retry_of: string | null;
  retried_as: string | null;
  /** What the runs share that go on from one another. */
  conversation_id: string;
  /** The ended run that this one goes on from. */
  follows: string | null;
  /** The run whose work this one is a part of. */
  parent_id: string | null;
  /** The run at the top of the tree; itself when it has no parent. */
  root_id: string;
  /** Those that nobody has answered yet. */
  questions: Question[];
  /** W3C trace id. */
  trace_id: string;
  /** Id of the span that asked for the run, in that trace. */
  parent_span_id: string | null;
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
  metrics: Metrics;
  artifacts: Artifact[];
  failure: Failure | null;
  /** Fields of the agent's answer that are not known here. */
  extensions: Record<string, unknown> | null;
  /** The first of them; the event log has all. */
  violations: Violation[];
};

/** All runs by status, whenever they were created. */
export type RunCounts = {
  created: number;
  queued: number;
  running: number;
  waiting: number;
  paused: number;
  completed: number;
  failed: number;
  timeout: number;
  cancelled: number;
  partial: number;
  rejected: number;
};

/** Of the ended ones among the newest 2,000 of the stretch. */
export type RunDurations = {
  runs: number;
  p50: number | null;
  p95: number | null;
};

export type RunList = {
  items: Run[];
  /** Null at the end of the list. */
  next_cursor: string | null;
  /** With `page`: how many runs there are. */
  total?: number;
};

/** What is asked of the hub beside the task. */
export type RunOptions = {
  /** A violation of its protocol fails the run. */
  strict?: boolean;
  /** Fails the run where a unique secret of its environment turns up. */
  canary?: boolean;
  /** The agent's capability that the run carries out: `input_data` is held against its `parameters` before, the output against its `returns` afterwards. */
  capability?: string;
  /** Among the runs that wait, the one with the higher number starts first; 0 when absent. */
  priority?: number;
  /** Labels that a worker must have to carry out the run, beside those that its agent requires. */
  requires?: string[];
  /** Keeps every message that travels, as `wire.message`. */
  record?: boolean;
  workspace?: Workspace;
  environment?: Environment;
  terminal?: Terminal;
  llm?: Llm;
  tools?: ToolSet;
  labs?: Labs;
  /** Clients are asked when absent; null when nobody is there to be asked. */
  conversation?: ConversationOptions | null;
  webhook?: Webhook;
  /** Recorded with the run; strict does not count them. */
  request_violations?: Violation[];
};

export type RunRequest = {
  /** A registered name, an address such as `atp+stdio:python agent.py`, or the long form. */
  agent: string | AgentSpec;
  task: Task;
  constraints?: Constraints;
  context?: Context;
  metadata?: Record<string, unknown>;
  retry?: RetryPolicy;
  options?: RunOptions;
  /** The client's own name for the run. */
  alias?: string;
  /** The conversation that the run joins; its own, or that of the run it follows, when absent. */
  conversation_id?: string;
  /** An ended run of the same conversation to go on from. */
  follows?: string;
  /** The run whose work this one is a part of. */
  parent_id?: string;
  /** What the client says, where that is more than the task's text. */
  message?: NewMessage;
};

export type RunStatus = "created" | "queued" | "running" | "waiting" | "paused" | "completed" | "failed" | "timeout" | "cancelled" | "partial" | "rejected";

/** By when the runs were created. */
export type RunsBucket = {
  at: string;
  runs: number;
  cost_usd: number;
  /** The median of the ended ones among the newest 2,000 of the stretch. */
  duration_ms: number | null;
};

export type RunsSummary = {
  since: string;
  /** The length of a bucket: longer where the stretch is. */
  bucket_seconds: number;
  statuses: RunCounts;
  /** Runs that were created in the stretch. */
  runs: number;
  cost_usd: number;
  duration_ms: RunDurations;
  /** Those with a run, in order. */
  buckets: RunsBucket[];
  evaluations: EvaluationTally;
};

/** `runs:read`, `runs:*`, `admin`, …: see the reference of tokens. */
export type Scope = string;

export type SideOfCase = {
  outcome: EvaluationVerdict;
  runs: number;
  unevaluated?: number;
  passed: number;
  rate: number | null;
  low: number;
  high: number;
  score: number | null;
  latency_ms: number | null;
  cost_usd: number | null;
};

export type StoredConstraints = {
  max_steps?: number;
  max_tokens?: number;
  /** 300 when absent. */
  timeout_seconds?: number;
  budget_usd?: number;
  /** Absent or null: all. Empty: none. */
  allowed_tools?: string[] | null;
};

export type StoredRetryPolicy = {
  max_attempts: number;
  initial_delay_ms?: number;
  max_delay_ms?: number;
  multiplier?: number;
  /** Failure codes worth another attempt. */
  on?: string[];
};

export type StoredRunOptions = {
  /** A violation of its protocol fails the run. */
  strict?: boolean;
  /** Fails the run where a unique secret of its environment turns up. */
  canary?: boolean;
  /** The agent's capability that the run carries out: `input_data` is held against its `parameters` before, the output against its `returns` afterwards. */
  capability?: string;
  /** Among the runs that wait, the one with the higher number starts first; 0 when absent. */
  priority?: number;
  /** Labels that a worker must have to carry out the run, beside those that its agent requires. */
  requires?: string[];
  /** Keeps every message that travels, as `wire.message`. */
  record?: boolean;
  workspace?: Workspace;
  environment?: Environment;
  terminal?: Terminal;
  llm?: Llm;
  tools?: Record<string, unknown>;
  labs?: Labs;
  /** Clients are asked when absent; null when nobody is there to be asked. */
  conversation?: ConversationOptions | null;
  webhook?: Webhook;
  /** Recorded with the run; strict does not count them. */
  request_violations?: Violation[];
};

export type Subtask = {
  /** Id of the task, or `id[3]` for an item of a `foreach`. */
  key: string;
  task: string;
  title: string | null;
  parent_id: string | null;
  depends_on: string[];
  status: SubtaskStatus;
  attempts: ({
    number: number;
    run_id: string;
    agent: string;
    /** Null while it is at work. */
    status: "created" | "queued" | "running" | "waiting" | "paused" | "completed" | "failed" | "timeout" | "cancelled" | "partial" | "rejected" | null;
    failure?: {
      code: string;
      message: string;
      details?: Record<string, unknown>;
    };
    route?: RouteDecision;
    reviews: ({
      by: "schema" | "checks" | "agent" | "human";
      /** Null where the reviewer failed, which is no rejection. */
      verdict: "approve" | "retry" | "reject" | "escalate" | null;
      feedback?: unknown;
      run_id?: string;
      trouble?: string;
    })[];
    /** From the request to stop until the run had ended. */
    stop_ms?: number;
  })[];
  reason: string | null;
  /** The run whose output counts. */
  output_run_id: string | null;
};

export type SubtaskList = {
  items: Subtask[];
  /** Null at the end of the list. */
  next_cursor: string | null;
};

export type SubtaskStatus = "waiting" | "running" | "reviewing" | "completed" | "failed" | "skipped" | "cancelled" | "compensated";

/** What is asked. Unknown fields are kept and reach the agent. */
export type Task = {
  /** What the agent should do. */
  description: string;
  input_data?: Record<string, unknown>;
  expected_artifacts?: {
    type?: ExpectedArtifactKind;
    format?: string;
    name?: string;
  }[];
};

export type TaskChange = {
  /** Name or address of the agent that does it. */
  agent?: string;
  /** What the agent must be able to do; the best one is chosen. */
  capability?: string;
  /** A range of versions of the capability, in the notation of npm. */
  version?: string;
  input?: unknown;
  description?: string;
};

/** How a terminal agent works. */
export type Terminal = {
  /** Steps of the agent; 100 unless said. */
  max_steps?: number;
  /** How long it may think about one step; 300 unless said. */
  agent_response_seconds?: number;
  /** How long one command may take; 120 unless said. */
  command_seconds?: number;
  /** One shell for all commands, or one for each. */
  shell?: "persistent" | "fresh";
  /** Answers in a row that ask for nothing; 3 unless said. */
  noop_limit?: number;
  /** Takes JSON out of lines with other text in them. */
  lenient?: boolean;
  /** The agent is asked once more whether it is done. */
  confirm_completion?: boolean;
  /** Bytes of output that the agent sees; 10,000 unless said. */
  output_limit?: number;
  /** What the agent term+builtin:oracle types. */
  script?: string[];
};

export type TextPart = {
  kind: "text";
  text: string;
  media_type?: string;
  name?: string;
};

export type Token = {
  id: string;
  /** `api` for people and programs, `enrol` for one registration, `agent` for the agent that registered. */
  kind: "api" | "enrol" | "agent";
  name: string;
  scopes: string[];
  binding: TokenBinding | null;
  rate: TokenRate | null;
  created_at: string;
  /** `operator`, or `token:<id>`. */
  created_by: string;
  expires_at: string | null;
  revoked_at: string | null;
  /** To the minute. */
  last_used_at: string | null;
  /** When the secret that it had before stops counting. */
  previous_until: string | null;
  /** The agent that registered with an enrolment token. */
  used_by: string | null;
};

/** What a token is limited to. A folder holds the agents whose names begin with its name and a dot. */
export type TokenBinding = {
  kind: "agent" | "folder" | "user";
  name: string;
};

export type TokenList = {
  items: Token[];
  /** Null at the end of the list. */
  next_cursor: string | null;
};

export type TokenRate = {
  /** Requests per second, on average. */
  per_second: number;
  /** Requests that may come at once. */
  burst: number;
};

/** What the agent's tools do, as in a file for `--tools`. */
export type ToolSet = Record<string, unknown>;

/** What a run and all runs below it have used together. */
export type TreeTally = {
  runs: number;
  /** How many of them have not ended. */
  live: number;
  total_tokens: number;
  cost_usd: number;
  total_steps: number;
};

export type UrlPart = {
  kind: "url";
  /** An address, which the hub never fetches by itself. */
  url: string;
  media_type?: string;
  name?: string;
};

/** A rule of its protocol that the agent broke. */
export type Violation = {
  rule: string;
  message: string;
  where?: string;
  repeated?: number;
  /** Whose rule it is. */
  owner?: "document" | "proctor";
  /** Where the document says so. */
  section?: string;
};

/** Where the task's events are sent by POST. */
export type Webhook = {
  /** http or https; not to a private address unless the hub allows it. */
  url: string;
  /** Signs the requests. Shown to nobody again. */
  secret?: string;
  /** `task.completed`, `question.*`, `*`; `task.*` when absent. */
  events?: string[];
};

/** A process that carries out runs. */
export type Worker = {
  /** Host and process; `run.started` names it. */
  id: string;
  host: string;
  pid: number;
  version: string;
  /** What runs may require of it. */
  labels: string[];
  /** How it reaches the runs: it has the database, or a hub in place of it. */
  over?: "database" | "http";
  /** How many runs it takes at once; 0 for a server that only takes requests. */
  slots: number;
  /** How many runs it has in flight. */
  busy: number;
  /** It takes no more runs, and ends when those in flight have. */
  draining: boolean;
  /** Why it takes no run now, though it has free slots: its disk is full. Absent while there is room. */
  no_room?: string;
  /** False once nothing was heard of it for half a minute. */
  alive: boolean;
  started_at: string;
  seen_at: string;
};

export type WorkerList = {
  items: Worker[];
  /** Null at the end of the list. */
  next_cursor: string | null;
};

/** Every run has a fresh directory, unless `workspace_path` names another. */
export type Workspace = {
  /** A directory on the hub's machine to start with. */
  fixture?: string;
  /** Patterns of files to keep. */
  collect?: string[];
  /** Patterns of files to keep where the agent made or changed them; at most 100 files, 100 MiB. */
  collect_changed?: string[];
  /** Not removed after the run. */
  keep?: boolean;
  /** Stays after the run until it is released. */
  hold?: boolean;
};
