// Tries the rules of document 002 on an agent, one after another. What the agent does is never an exception, only a finding.
import { baseEnvironment } from "../../../channels/process/base-environment.ts";
import type { AgentSpec } from "../../../core/agent.ts";
import { createRedactor } from "../../../core/redact.ts";
import {
  joinLines,
  ruleOf,
  type Conformance,
  type ConformanceOptions,
  type RuleResult,
} from "../../conformance.ts";
import { agentCommand } from "../agent/command.ts";
import { CHECKS } from "./checks.ts";
import { describeSilence, describeTranscript, unevaluated, type Finding } from "./finding.ts";
import { RULES, type RuleId, type TermRule } from "./rules.ts";
import { createTrial, type Trial } from "./trial.ts";

const DEFAULT_TASK = "Create hello.txt with 'Hello, world!'";

export const termConformance: Conformance = {
  rules: RULES.map(ruleOf),
  check,
};

async function* check(agent: AgentSpec, options: ConformanceOptions): AsyncGenerator<RuleResult> {
  // One that is built in has no program that could be tried.
  if (agent.transport !== "stdio") return;
  const { environment = {}, only, signal, task = DEFAULT_TASK, timeoutMs } = options;
  const path = agent.env?.["PATH"] ?? baseEnvironment()["PATH"];
  const found = await agentCommand(agent, { elsewhere: false, path, signal });
  const trial =
    "code" in found
      ? undefined
      : createTrial({ command: found.command, spec: agent, timeoutMs, signal, task, environment });
  const hide = hideSecrets(agent, environment);
  for (const definition of RULES) {
    if (only?.includes(definition.id) === false) continue;
    const startedAt = performance.now();
    const finding = trial
      ? await tryOne(definition.id, trial)
      : notThere(definition.id, "code" in found ? found.message : "");
    // What was broken off tells nothing about the agent.
    if (signal.aborted) return;
    yield report(definition, finding, performance.now() - startedAt, hide);
  }
}

/** An agent that does not even answer the plainest request gives no occasion for the rest. */
async function tryOne(id: RuleId, trial: Trial): Promise<Finding> {
  if (id !== "term.answer.given" && id !== "term.answer.flushed") {
    const { answers, transcript } = await trial.whole();
    if (answers.length === 0) {
      return unevaluated(`it does not answer the plainest request: ${describeSilence(transcript)}`);
    }
  }
  return CHECKS[id](trial);
}

function notThere(id: RuleId, message: string): Finding {
  if (id !== "term.answer.given") return unevaluated(`it cannot be started: ${message}`);
  const transcript = {
    sent: [],
    stdout: [],
    stderr: [],
    overtime: false,
    notStarted: message,
    startedAt: performance.now(),
  };
  return { outcome: "fail", reason: message, transcript };
}

function report(
  { advice, ...rule }: TermRule,
  { outcome, reason, transcript }: Finding,
  durationMs: number,
  hide: (text: string) => string,
): RuleResult {
  const said = reason === undefined ? undefined : joinLines(hide(reason));
  return {
    rule: ruleOf(rule),
    outcome,
    ...(said !== undefined && { reason: outcome === "fail" ? `${said}\n${advice}` : said }),
    ...(transcript && outcome !== "pass" && { evidence: describeTranscript(transcript, hide) }),
    durationMs,
  };
}

function hideSecrets(
  { env = {} }: AgentSpec,
  environment: Readonly<Record<string, string>>,
): (text: string) => string {
  const secrets = Object.entries({ ...env, ...environment });
  const redactor = createRedactor(secrets.map(([name, value]) => ({ name, value })));
  return (text) => redactor.text(text);
}
