// Tries the rules of document 002 on an agent, one after another.
import { baseEnvironment } from "../../../channels/process/base-environment.ts";
import type { AgentSpec } from "../../../core/agent.ts";
import {
  ruleOf,
  type Conformance,
  type ConformanceOptions,
  type RuleResult,
} from "../../../conformance/conformance.ts";
import { fail, unevaluated } from "../../../conformance/finding.ts";
import { tryRules } from "../../../conformance/try-rules.ts";
import { agentCommand } from "../agent/command.ts";
import { CHECKS } from "./checks.ts";
import { describeSilence, describeTranscript, type TermFinding } from "./finding.ts";
import { RULES, type RuleId } from "./rules.ts";
import { createTrial, type Trial } from "./trial.ts";

const DEFAULT_TASK = "Create hello.txt with 'Hello, world!'";

export const termConformance: Conformance = {
  rules: RULES.map(ruleOf),
  check,
};

async function* check(agent: AgentSpec, options: ConformanceOptions): AsyncGenerator<RuleResult> {
  // An agent that is built in has no program that could be tried.
  if (agent.transport !== "stdio") return;
  const { environment = {}, only, signal, task = DEFAULT_TASK, timeoutMs } = options;
  const path = agent.env?.["PATH"] ?? baseEnvironment()["PATH"];
  const found = await agentCommand(agent, { elsewhere: false, path, signal });
  const trial =
    "code" in found
      ? undefined
      : createTrial({ command: found.command, spec: agent, timeoutMs, signal, task, environment });
  yield* tryRules({
    agent,
    options,
    rules: RULES.filter(({ id }) => only?.includes(id) !== false),
    tryRule: async ({ id }) =>
      trial ? tryOne(id, trial) : notThere(id, "code" in found ? found.message : ""),
    describe: describeTranscript,
  });
}

/** An agent that does not even answer the plainest request leaves nothing else to try. */
async function tryOne(id: RuleId, trial: Trial): Promise<TermFinding> {
  if (id !== "term.answer.given" && id !== "term.answer.flushed") {
    const { answers, transcript } = await trial.whole();
    if (answers.length === 0) {
      return unevaluated(`it does not answer the plainest request: ${describeSilence(transcript)}`);
    }
  }
  return CHECKS[id](trial);
}

function notThere(id: RuleId, message: string): TermFinding {
  if (id !== "term.answer.given")
    return { ...unevaluated(`it cannot be started: ${message}`), unreachable: true };
  const transcript = {
    sent: [],
    stdout: [],
    stderr: [],
    overtime: false,
    notStarted: message,
    startedAt: performance.now(),
  };
  return { ...fail(message, transcript), unreachable: true };
}
