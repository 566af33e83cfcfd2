// Written by scripts/suite-types.ts from the schemas that read suites; not to be changed by hand.

/** `{{ name }}` or `${NAME}`, where something else than text is wanted. */
export type Template = `${string}{{${string}}}${string}` | `${string}\${${string}}${string}`;

type Entry<Type, Config> = { type: Type } & ({} extends Config ? { config?: Config | Template } : { config: Config | Template });

/** A check without weight, as it stands inside another. */
export type NestedCheck =
  | { [Type in keyof CheckConfigs]: Entry<Type | `not_${Type}`, CheckConfigs[Type]> }[keyof CheckConfigs]
  | { [Type in keyof CaseCheckConfigs]: Entry<Type, CaseCheckConfigs[Type]> }[keyof CaseCheckConfigs];

export type CheckDefinition = NestedCheck & {
  /** When it fails, the run's score is 0. */
  critical?: boolean | Template;
  /** Its share of the score. */
  weight?: number | Template;
};

export interface CheckConfigs {
  contains: {
    pattern: string;
    regex?: boolean | Template;
    path?: string;
  };
  equals: {
    text?: string;
    value?: unknown;
    path?: string;
    ignore_case?: boolean | Template;
    trim?: boolean | Template;
  };
  regex: {
    pattern: string;
    flags?: string | Template;
    path?: string;
  };
  similarity: {
    text: string;
    at_least: number | Template;
    path?: string;
  };
  schema: {
    schema: unknown;
    path?: string;
  };
  json_path: {
    path: string;
    equals?: unknown;
    exists?: true | Template;
    absent?: true | Template;
    matches?: string;
    contains?: unknown;
    artifact?: string;
  };
  json_partial: {
    value: unknown;
    path?: string;
  };
  artifact_exists: {
    path: string;
  };
  artifact_type: {
    path: string;
    type: "file" | "structured" | "reference" | Template;
    content_type?: string;
  };
  artifact_hash: {
    path: string;
    sha256: string | Template;
  };
  sections: {
    sections: readonly (string)[] | Template;
    path?: string;
  };
  security: {
    checks?: readonly ("pii_exposure" | "secret_leak" | "prompt_injection" | Template)[] | Template;
    sensitivity?: "info" | "low" | "medium" | "high" | "critical" | Template;
    pii_types?: readonly ("email" | "phone" | "ssn" | "credit_card" | "api_key" | Template)[] | Template;
    secret_types?: readonly ("private_key" | "jwt_token" | "bearer_token" | "basic_auth" | "env_secret" | "connection_string" | "hardcoded_secret" | "aws_credential" | "certificate" | Template)[] | Template;
    injection_categories?: readonly ("injection" | "jailbreak" | "role" | Template)[] | Template;
    on_finding?: "fail" | "warn" | Template;
    fail_on_warning?: boolean | Template;
  };
  no_errors: {};
  must_use_tools: {
    tools: readonly (string)[] | Template;
    observed?: boolean | Template;
  };
  forbidden_tools: {
    tools: readonly (string)[] | Template;
    observed?: boolean | Template;
  };
  max_tool_calls: {
    limit: number | Template;
    observed?: boolean | Template;
  };
  min_tool_calls: {
    limit: number | Template;
    observed?: boolean | Template;
  };
  tool_order: {
    tools?: readonly (string)[] | Template;
    calls?: readonly ({
      tool: string;
      input?: unknown;
    } | Template)[] | Template;
    mode?: "strict" | "in_order" | "unordered" | "subset" | "superset" | Template;
    args?: "exact" | "partial" | "regex" | "json_path" | "ignore" | Template;
    observed?: boolean | Template;
  };
  no_loops: {
    window?: number | Template;
    repeats?: number | Template;
    observed?: boolean | Template;
  };
  observed_equals_reported: {};
  behavior: {
    must_use_tools?: readonly (string)[] | Template;
    forbidden_tools?: readonly (string)[] | Template;
    max_tool_calls?: number | Template;
    min_tool_calls?: number | Template;
    no_errors?: boolean | Template;
    expected_tool_calls?: readonly ({
      tool: string;
      status?: string;
      input_matches?: readonly ({
        path: string;
        equals?: unknown;
        exists?: true | Template;
        absent?: true | Template;
      } | Template)[] | Template;
      output_matches?: readonly ({
        path: string;
        equals?: unknown;
        exists?: true | Template;
        absent?: true | Template;
      } | Template)[] | Template;
    } | Template)[] | Template;
    forbidden_tool_calls?: readonly ({
      tool: string;
      status?: string;
      input_matches?: readonly ({
        path: string;
        equals?: unknown;
        exists?: true | Template;
        absent?: true | Template;
      } | Template)[] | Template;
      output_matches?: readonly ({
        path: string;
        equals?: unknown;
        exists?: true | Template;
        absent?: true | Template;
      } | Template)[] | Template;
    } | Template)[] | Template;
    tool_call_order?: "any" | "expected" | Template;
  };
  asked: {
    kind?: "input" | "form" | "permission" | "approval" | "auth" | Template;
    text?: string;
    matches?: string;
    times?: number | Template;
  };
  asked_permission_for: {
    tool?: string;
    path?: string;
  };
  max_latency: {
    seconds: number | Template;
  };
  max_steps: {
    limit: number | Template;
  };
  max_tokens: {
    limit: number | Template;
  };
  max_cost: {
    limit: number | Template;
  };
  no_violations: {
    except?: readonly (string)[] | Template;
  };
  events: {
    kind: string;
    at_least?: number | Template;
    at_most?: number | Template;
  };
  status: {
    is: "completed" | "failed" | "timeout" | "cancelled" | "partial" | "rejected" | Template;
  };
  file_exists: {
    path: string;
    workspace_path?: string;
  };
  file_not_exists: {
    path: string;
    workspace_path?: string;
  };
  dir_exists: {
    path: string;
    workspace_path?: string;
  };
  file_contains: {
    path: string;
    pattern: string;
    regex?: boolean | Template;
    workspace_path?: string;
  };
  file_count: {
    path?: string;
    count: number | Template;
    operator?: "eq" | "gt" | "gte" | "lt" | "lte" | Template;
    pattern?: string;
    workspace_path?: string;
  };
  command: {
    command: string | readonly (string)[];
    cwd?: string;
    env?: { readonly [name: string]: string } | Template;
    input?: string;
    timeout_seconds?: number | Template;
    exit_code?: number | readonly (number | Template)[] | null | Template;
    stdout?: {
      contains?: string;
      equals?: string;
      regex?: string;
      json_path?: {
        path: string;
        equals?: unknown;
        exists?: true | Template;
        absent?: true | Template;
        matches?: string;
        contains?: unknown;
      } | Template;
    } | Template;
    stderr?: {
      contains?: string;
      equals?: string;
      regex?: string;
      json_path?: {
        path: string;
        equals?: unknown;
        exists?: true | Template;
        absent?: true | Template;
        matches?: string;
        contains?: unknown;
      } | Template;
    } | Template;
  };
  custom_command: {
    command: string | readonly (string)[];
    pattern?: string;
    success_pattern?: string;
    threshold?: number | Template;
    expect_zero?: boolean | Template;
    timeout?: number | Template;
    working_dir?: string;
  };
  code_exec: {
    command: string | readonly (string)[];
    pattern?: string;
    success_pattern?: string;
    threshold?: number | Template;
    expect_zero?: boolean | Template;
    timeout?: number | Template;
    working_dir?: string;
  };
  pytest: {
    path?: string;
    threshold?: number | Template;
    timeout?: number | Template;
    working_dir?: string;
    args?: string | readonly (string)[];
  };
  npm: {
    command?: string | readonly (string)[];
    threshold?: number | Template;
    timeout?: number | Template;
    working_dir?: string;
  };
  lint: {
    linter: "ruff" | "eslint" | Template;
    path?: string;
    max_violations?: number | Template;
    max_errors?: number | Template;
    timeout?: number | Template;
    working_dir?: string;
    args?: string | readonly (string)[];
  };
  javascript: {
    file: string;
    export?: string;
    config?: unknown;
    threshold?: number | Template;
    timeout_seconds?: number | Template;
  };
  style: {
    path?: string;
    expected_tone?: "professional" | "casual" | "formal" | "friendly" | Template;
    tone_threshold?: number | Template;
    max_flesch_kincaid_grade?: number | Template;
    min_flesch_reading_ease?: number | Template;
    max_smog_grade?: number | Template;
    max_coleman_liau_grade?: number | Template;
    max_passive_voice_percentage?: number | Template;
    max_avg_sentence_length?: number | Template;
    min_avg_sentence_length?: number | Template;
    max_sentence_length?: number | Template;
    forbidden_words?: readonly (string)[] | Template;
    required_words?: readonly (string)[] | Template;
    forbidden_patterns?: readonly (string)[] | Template;
    required_patterns?: readonly (string)[] | Template;
  };
  tone: {
    path?: string;
    expected_tone?: "professional" | "casual" | "formal" | "friendly" | Template;
    tone_threshold?: number | Template;
  };
  readability: {
    path?: string;
    max_flesch_kincaid_grade?: number | Template;
    min_flesch_reading_ease?: number | Template;
    max_smog_grade?: number | Template;
    max_coleman_liau_grade?: number | Template;
  };
  passive_voice: {
    path?: string;
    max_passive_voice_percentage?: number | Template;
  };
  sentence_length: {
    path?: string;
    max_avg_sentence_length?: number | Template;
    min_avg_sentence_length?: number | Template;
    max_sentence_length?: number | Template;
  };
  style_rules: {
    path?: string;
    forbidden_words?: readonly (string)[] | Template;
    required_words?: readonly (string)[] | Template;
    forbidden_patterns?: readonly (string)[] | Template;
    required_patterns?: readonly (string)[] | Template;
  };
  refusal: {
    path?: string;
    languages?: readonly ("en" | "de" | "fr" | "es" | Template)[] | Template;
    phrases?: readonly (string)[] | Template;
  };
  findings_match: {
    expected_findings?: readonly ({
      id?: string;
      rule_ids?: readonly (string)[] | Template;
      anchor?: string;
      pattern?: string;
      severity?: "critical" | "major" | "minor" | Template;
    } | Template)[] | Template;
    must_not_flag?: readonly ({
      id?: string;
      anchor?: string;
      pattern?: string;
    } | Template)[] | Template;
    path?: string;
    threshold?: number | Template;
  };
  factuality: {
    ground_truth_file?: string;
    verification_method?: "ground_truth" | "llm_verify" | "rag" | Template;
    min_confidence?: number | Template;
    check_citations?: boolean | Template;
    detect_hallucinations?: boolean | Template;
    path?: string;
  };
  verifier: {
    tests?: string;
    files?: readonly ({
      source: string;
      target: string | Template;
    } | Template)[] | Template;
    command?: string | readonly (string)[];
    env?: { readonly [name: string]: string } | Template;
    separate?: {
      build?: string;
      artifacts?: readonly (string | Template)[] | Template;
      limits?: {
        /** Memory of everything in it. */
        memory_mb?: number | Template;
        /** Processes at once. */
        processes?: number | Template;
        /** What may be written. */
        disk_mb?: number | Template;
        /** Processors. */
        cpus?: number | Template;
        /** Of the output of one command. */
        output_mb?: number | Template;
      } | Template;
    } | Template;
    user?: string;
    workdir?: string | Template;
    timeout_seconds?: number | Template;
    reward?: "files" | "pytest" | "exit-code" | Template;
    at_least?: number | Template;
    verify?: "restored" | "as-left" | Template;
  };
  llm_judge: {
    rubric: string;
    path?: string;
    include?: readonly ("task" | "artifacts" | "events" | Template)[] | Template;
    scale?: {
      min: number | Template;
      max: number | Template;
    } | Template;
    threshold?: number | Template;
    votes?: number | Template;
    model?: string;
    temperature?: number | Template;
    examples?: readonly ({
      input: string;
      score: number | Template;
      reason?: string;
    } | Template)[] | Template;
    reference?: string;
    cache?: boolean | Template;
  };
  llm_eval: {
    criteria?: "factual_accuracy" | "completeness" | "relevance" | "coherence" | "clarity" | "actionability" | "quality" | "custom" | Template;
    prompt?: string;
    threshold?: number | Template;
    path?: string;
    num_runs?: number | Template;
  };
  all: {
    checks: readonly (NestedCheck)[] | Template;
  };
  any: {
    checks: readonly (NestedCheck)[] | Template;
  };
  none: {
    checks: readonly (NestedCheck)[] | Template;
  };
  at_least: {
    count: number | Template;
    checks: readonly (NestedCheck)[] | Template;
  };
  composite: {
    operator?: "and" | "or" | Template;
    conditions: readonly (Condition)[] | Template;
  };
}

export interface CaseCheckConfigs {
  performance: {
    thresholds: {
      max_latency_p50_ms?: number | Template;
      max_latency_p95_ms?: number | Template;
      max_latency_p99_ms?: number | Template;
      max_latency_mean_ms?: number | Template;
      max_total_duration_seconds?: number | Template;
    } | Template;
    significance_level?: number | Template;
  };
}

export type Condition = NestedCheck | {
  operator: "and" | "or" | "not" | "threshold";
  conditions?: readonly (Condition)[];
  condition?: Condition;
  value?: number;
  comparator?: ">=" | ">" | "<=" | "<" | "==" | "!=";
};

export type AgentDefinition = {
  name: string | Template;
  env?: { readonly [name: string]: string } | Template;
  headers?: { readonly [name: string]: string | Template } | Template;
  cwd?: string;
  environment?: string;
  client_env?: readonly (string)[] | Template;
  options?: { readonly [name: string]: unknown } | Template;
  concurrency?: number | Template;
  address: string;
  matrix?: {
    exclude?: readonly ({ readonly [name: string]: unknown })[];
    [name: string]: unknown;
  };
} | {
  name: string | Template;
  env?: { readonly [name: string]: string } | Template;
  headers?: { readonly [name: string]: string | Template } | Template;
  cwd?: string;
  environment?: string;
  client_env?: readonly (string)[] | Template;
  options?: { readonly [name: string]: unknown } | Template;
  concurrency?: number | Template;
  protocol?: string;
  transport?: string;
  command?: string | readonly (string)[];
  url?: string;
  matrix?: {
    exclude?: readonly ({ readonly [name: string]: unknown })[];
    [name: string]: unknown;
  };
} | {
  name: string | Template;
  type: "cli" | Template;
  config: {
    command: string | readonly (string)[];
    args?: readonly (string)[] | Template;
    env?: { readonly [name: string]: string } | Template;
    environment?: { readonly [name: string]: string } | Template;
    cwd?: string;
    working_dir?: string;
    concurrency?: number | Template;
  } | Template;
  matrix?: {
    exclude?: readonly ({ readonly [name: string]: unknown })[];
    [name: string]: unknown;
  };
} | {
  name: string | Template;
  type: "http" | Template;
  config: {
    url?: string;
    endpoint?: string;
    headers?: { readonly [name: string]: string | Template } | Template;
    concurrency?: number | Template;
    allow_internal?: true | Template;
  } | Template;
  matrix?: {
    exclude?: readonly ({ readonly [name: string]: unknown })[];
    [name: string]: unknown;
  };
};

export type DefaultsDefinition = {
  constraints?: ConstraintsDefinition;
  /** How often it runs on each agent. */
  runs_per_test?: number | Template;
  pass_rate?: PassRateDefinition;
  /** Runs of one case in flight at once. */
  concurrency?: number | Template;
  /** A run passes with this weighted mean of its checks. */
  threshold?: number | Template;
  scoring?: ScoringDefinition;
  /** Words to select tests by. */
  tags?: readonly (string | Template)[] | Template;
  /** Names of agents to run on; all of them when absent. */
  agents?: readonly (string)[] | Template;
  /** What is checked when a run has ended. */
  assertions?: readonly (CheckDefinition)[] | Template;
  /** Another name for "assertions". */
  checks?: readonly (CheckDefinition)[] | Template;
  vars?: VarsDefinition;
  /** Variables that agents find in context.environment. */
  environment?: { readonly [name: string]: string } | Template;
  /** The same, for values that must appear nowhere else. */
  secrets?: { readonly [name: string]: string } | Template;
  tools?: ToolsDefinition;
  /** Where the terminal of terminal agents lives, and how they work. */
  terminal?: {
    /** A directory whose Dockerfile is built. */
    build?: string;
    /** A container image. */
    image?: string;
    /** A directory that is the root of the file system. */
    root?: string;
    /** strict: one user. multi-user: useradd, chown and su work. auto: multi-user where possible. */
    profile?: "strict" | "multi-user" | "auto" | Template;
    /** Where commands start; /app unless a Dockerfile says otherwise. */
    workdir?: string | Template;
    /** Whose commands they are. */
    user?: string;
    /** Variables of every process in it. No secrets. */
    env?: { readonly [name: string]: string } | Template;
    /** What it may reach; none unless said. */
    network?: "none" | "loopback" | "allow-list" | "host" | Template;
    /** For allow-list: host, host:port, *.host. */
    allow_hosts?: readonly (string)[] | Template;
    /** Limits of everything in it. */
    limits?: {
      /** Memory of everything in it. */
      memory_mb?: number | Template;
      /** Processes at once. */
      processes?: number | Template;
      /** What may be written. */
      disk_mb?: number | Template;
      /** Processors. */
      cpus?: number | Template;
      /** Of the output of one command. */
      output_mb?: number | Template;
    } | Template;
    /** Copied in before anything runs. */
    files?: readonly ({
      /** A file, or a directory whose content is taken. */
      source: string;
      /** Where it stands inside. */
      target: string | Template;
    } | Template)[] | Template;
    /** When the state of the files is kept. */
    snapshots?: "each" | "auto" | "last" | "off" | Template;
    /** apt-get, pip and uv install what the machine has already, without a network. */
    toolchain?: boolean | Template;
    /** How long a build may take; 600 unless said. */
    build_timeout_seconds?: number | Template;
    /** Steps of the agent; 100 unless said. */
    max_steps?: number | Template;
    /** How long it may think about one step; 300 unless said. */
    agent_response_seconds?: number | Template;
    /** How long one command may take; 120 unless said. */
    command_seconds?: number | Template;
    /** One shell for all commands, or one for each. */
    shell?: "persistent" | "fresh" | Template;
    /** Answers in a row that ask for nothing; 3 unless said. */
    noop_limit?: number | Template;
    /** Takes JSON out of lines with other text in them. */
    lenient?: boolean | Template;
    /** The agent is asked once more whether it is done. */
    confirm_completion?: boolean | Template;
    /** Bytes of output that the agent sees; 10,000 unless said. */
    output_limit?: number | Template;
    /** What the agent term+builtin:oracle runs: a script. */
    solution?: string;
  } | Template;
  /** A violation of its protocol fails a run. */
  strict?: boolean | Template;
  /** A unique secret fails a run in which it turns up. */
  canary?: boolean | Template;
  /** Time limit of every test. */
  timeout_seconds?: number | null | Template;
};

export type TestDefinition = {
  /** Unique in the suite. */
  id: string;
  /** For people. */
  name: string;
  /** For people. */
  description?: string | null;
  /** What the agent is asked to do. Tests with turns or a user may have none. */
  task?: {
    /** What the agent is asked to do. */
    description: string;
    /** Data for the task. */
    input_data?: { readonly [name: string]: unknown } | Template;
    /** What the agent should produce. */
    expected_artifacts?: readonly (string | {
      type?: "file" | "structured" | Template;
      format?: string;
      name?: string;
    })[] | Template;
    /** A directory whose copy is the run's workspace. */
    workspace_fixture?: string | null;
    /** Patterns of files in the workspace that become artifacts. */
    collect?: readonly (string | Template)[] | Template;
  } | Template;
  /** A scripted conversation, step by step. */
  turns?: readonly ({
    /** Begins a turn: what the user says. */
    say?: string;
    /** Checks on this turn. */
    expect?: readonly (CheckDefinition)[] | Template;
    /** The answer to the next question of this turn: text, {option: …}, or data. */
    answer?: unknown;
    /** Declines the next question of this turn. */
    decline?: true | Template;
  } | Template)[] | Template;
  /** A simulated user who talks with the agent. */
  user?: {
    /** Who the user is, and how it talks. */
    persona?: string;
    /** What the user wants. The agent never sees it in these words. */
    goal: string;
    /** What the user knows and may reveal, by name. */
    facts?: { readonly [name: string]: string | number | boolean } | Template;
    /** When the conversation ends. */
    stop?: {
      /** Runs at most; 10 when not said. */
      max_turns?: number | Template;
      /** goal_reached: the user says when it has what it wants. Any other text: also when the agent says it. */
      when?: string;
    } | Template;
    /** The model that plays the user; the judge's when not said. */
    model?: string;
    /** Plays the user without a model: the file of a mock model's script, or its content. */
    script?: string | {
      name?: string | null;
      description?: string | null;
      model?: string | null;
      default_delay_ms?: number | null | Template;
      answers?: readonly ({
        when?: {
          contains?: string | null;
          regex?: string | null;
          role?: "system" | "developer" | "user" | "assistant" | "tool" | "function" | null | Template;
          turn?: number | null | Template;
          model?: string | null;
          json_path?: unknown;
        } | null | Template;
        then: {
          content?: string | null;
          tool_calls?: readonly ({
            name: string;
            arguments?: unknown;
            id?: string | null;
          } | Template)[] | null | Template;
          finish_reason?: "stop" | "length" | "tool_calls" | "content_filter" | "function_call" | null | Template;
          usage?: {
            prompt_tokens?: number | null | Template;
            completion_tokens?: number | null | Template;
          } | null | Template;
          delay_ms?: number | null | Template;
          stream?: {
            chunk_chars?: number | null | Template;
            chunk_delay_ms?: number | null | Template;
            cut_after_chunks?: number | null | Template;
          } | null | Template;
          error?: {
            status: number | Template;
            message?: string | null;
            type?: string | null;
            code?: string | null;
            retry_after_seconds?: number | null | Template;
          } | null | Template;
        } | Template;
        times?: number | null | Template;
      } | Template)[] | null | Template;
      default?: {
        content?: string | null;
        tool_calls?: readonly ({
          name: string;
          arguments?: unknown;
          id?: string | null;
        } | Template)[] | null | Template;
        finish_reason?: "stop" | "length" | "tool_calls" | "content_filter" | "function_call" | null | Template;
        usage?: {
          prompt_tokens?: number | null | Template;
          completion_tokens?: number | null | Template;
        } | null | Template;
        delay_ms?: number | null | Template;
        stream?: {
          chunk_chars?: number | null | Template;
          chunk_delay_ms?: number | null | Template;
          cut_after_chunks?: number | null | Template;
        } | null | Template;
        error?: {
          status: number | Template;
          message?: string | null;
          type?: string | null;
          code?: string | null;
          retry_after_seconds?: number | null | Template;
        } | null | Template;
      } | null | Template;
    };
  } | Template;
  constraints?: ConstraintsDefinition;
  /** How often it runs on each agent. */
  runs_per_test?: number | Template;
  pass_rate?: PassRateDefinition;
  /** Runs of one case in flight at once. */
  concurrency?: number | Template;
  /** A run passes with this weighted mean of its checks. */
  threshold?: number | Template;
  scoring?: ScoringDefinition;
  /** Words to select tests by. */
  tags?: readonly (string | Template)[] | Template;
  /** Names of agents to run on; all of them when absent. */
  agents?: readonly (string)[] | Template;
  /** What is checked when a run has ended. */
  assertions?: readonly (CheckDefinition)[] | Template;
  /** Another name for "assertions". */
  checks?: readonly (CheckDefinition)[] | Template;
  vars?: VarsDefinition;
  /** Variables that agents find in context.environment. */
  environment?: { readonly [name: string]: string } | Template;
  /** The same, for values that must appear nowhere else. */
  secrets?: { readonly [name: string]: string } | Template;
  tools?: ToolsDefinition;
  /** Where the terminal of terminal agents lives, and how they work. */
  terminal?: {
    /** A directory whose Dockerfile is built. */
    build?: string;
    /** A container image. */
    image?: string;
    /** A directory that is the root of the file system. */
    root?: string;
    /** strict: one user. multi-user: useradd, chown and su work. auto: multi-user where possible. */
    profile?: "strict" | "multi-user" | "auto" | Template;
    /** Where commands start; /app unless a Dockerfile says otherwise. */
    workdir?: string | Template;
    /** Whose commands they are. */
    user?: string;
    /** Variables of every process in it. No secrets. */
    env?: { readonly [name: string]: string } | Template;
    /** What it may reach; none unless said. */
    network?: "none" | "loopback" | "allow-list" | "host" | Template;
    /** For allow-list: host, host:port, *.host. */
    allow_hosts?: readonly (string)[] | Template;
    /** Limits of everything in it. */
    limits?: {
      /** Memory of everything in it. */
      memory_mb?: number | Template;
      /** Processes at once. */
      processes?: number | Template;
      /** What may be written. */
      disk_mb?: number | Template;
      /** Processors. */
      cpus?: number | Template;
      /** Of the output of one command. */
      output_mb?: number | Template;
    } | Template;
    /** Copied in before anything runs. */
    files?: readonly ({
      /** A file, or a directory whose content is taken. */
      source: string;
      /** Where it stands inside. */
      target: string | Template;
    } | Template)[] | Template;
    /** When the state of the files is kept. */
    snapshots?: "each" | "auto" | "last" | "off" | Template;
    /** apt-get, pip and uv install what the machine has already, without a network. */
    toolchain?: boolean | Template;
    /** How long a build may take; 600 unless said. */
    build_timeout_seconds?: number | Template;
    /** Steps of the agent; 100 unless said. */
    max_steps?: number | Template;
    /** How long it may think about one step; 300 unless said. */
    agent_response_seconds?: number | Template;
    /** How long one command may take; 120 unless said. */
    command_seconds?: number | Template;
    /** One shell for all commands, or one for each. */
    shell?: "persistent" | "fresh" | Template;
    /** Answers in a row that ask for nothing; 3 unless said. */
    noop_limit?: number | Template;
    /** Takes JSON out of lines with other text in them. */
    lenient?: boolean | Template;
    /** The agent is asked once more whether it is done. */
    confirm_completion?: boolean | Template;
    /** Bytes of output that the agent sees; 10,000 unless said. */
    output_limit?: number | Template;
    /** What the agent term+builtin:oracle runs: a script. */
    solution?: string;
  } | Template;
  /** A violation of its protocol fails a run. */
  strict?: boolean | Template;
  /** A unique secret fails a run in which it turns up. */
  canary?: boolean | Template;
  matrix?: MatrixDefinition;
  data?: DataDefinition;
  /** comparison: which of the agents does best. */
  mode?: "comparison" | Template;
  /** How agents are compared. */
  comparison_config?: {
    /** What decides, the first before the second. */
    metrics?: readonly ("quality" | "speed" | "cost" | Template)[] | Template;
    determine_winner?: boolean | Template;
    /** False: the agents work one after the other. */
    parallel_execution?: boolean | Template;
  } | Template;
};

export type ConstraintsDefinition = {
  /** Steps the agent may take. */
  max_steps?: number | null | Template;
  /** Tokens the agent may use. */
  max_tokens?: number | null | Template;
  /** Time limit; 300 when nobody says one. */
  timeout_seconds?: number | null | Template;
  /** The agent may use no other tools; [] allows none. */
  allowed_tools?: readonly (string)[] | null | Template;
  /** Money the agent may spend. */
  budget_usd?: number | null | Template;
} | Template;

export type ScoringDefinition = {
  quality_weight?: number | Template;
  completeness_weight?: number | Template;
  efficiency_weight?: number | Template;
  cost_weight?: number | Template;
} | Template;

export type PassRateDefinition = number | {
  /** The share of runs that must pass: above 0, below 1. */
  at_least: number | Template;
  /** How sure that must be; 0.95 when not said. */
  confidence?: number | Template;
  /** So many runs at most. */
  max_runs?: number | Template;
  /** Stop as soon as it is decided. False: look once, at the end. */
  sequential?: boolean | Template;
} | Template;

export type ToolsDefinition = string | {
  name?: string | null;
  description?: string | null;
  default_delay_ms?: number | null | Template;
  tools?: readonly ({
    name: string | Template;
    description?: string | null;
    responses?: readonly ({
      when?: {
        type: "exact" | "contains" | "regex" | "json_path" | "any" | Template;
        field?: string | null;
        pattern?: unknown;
      } | Template;
      then: unknown;
    } | Template)[] | null | Template;
    default?: {
      output?: unknown;
      error?: string | null;
      error_code?: string | null;
      status?: string | null;
      delay_ms?: number | null | Template;
      http_status?: number | null | Template;
    } | null | Template;
    forward?: {
      url: string;
      headers?: { readonly [name: string]: string | Template } | null | Template;
      timeout_ms?: number | null | Template;
    } | null | Template;
    record?: {
      url: string;
      headers?: { readonly [name: string]: string | Template } | null | Template;
      timeout_ms?: number | null | Template;
      file: string;
    } | null | Template;
    replay?: {
      file: string;
    } | null | Template;
  } | Template)[] | null | Template;
  mcp?: readonly ({
    command?: string | readonly (string)[] | null;
    url?: string | null;
    env?: { readonly [name: string]: string } | null | Template;
    headers?: { readonly [name: string]: string | Template } | null | Template;
    cwd?: string | null;
    tools?: readonly (string)[] | null | Template;
    timeout_ms?: number | null | Template;
  } | Template)[] | null | Template;
  environment?: "bwrap" | "container" | "local" | {
    kind: "bwrap" | "container" | "local" | Template;
    network?: "none" | "loopback" | "allow-list" | "host" | null | Template;
    allow_hosts?: readonly (string)[] | null | Template;
  } | null | Template;
};

export type MatrixDefinition = {
  exclude?: readonly ({ readonly [name: string]: unknown })[];
  [name: string]: unknown;
};

export type DataDefinition = string | readonly ({ readonly [name: string]: unknown })[] | {
  file: string;
  limit?: number;
  offset?: number;
};

export type VarsDefinition = { readonly [name: string]: unknown };

export type SuiteDefinition = {
  /** Name of the suite, in reports. */
  test_suite: string;
  /** For people. */
  description?: string | null;
  /** Files whose agents, defaults, vars and tests belong to this suite. */
  include?: readonly (string)[];
  vars?: VarsDefinition;
  matrix?: MatrixDefinition;
  data?: DataDefinition;
  /** The version of the format. */
  version?: "1.0" | 1;
  defaults?: DefaultsDefinition;
  /** The agents that are tested. */
  agents?: readonly (AgentDefinition)[];
  /** The tests. */
  tests?: readonly (TestDefinition)[];
};
