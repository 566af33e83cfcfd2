// Examines a client of A2A: for each rule it meets an agent of its own, is started, and is judged by what it asked and how it ended. Nothing is
// known of the client but its command line: it is told the agent's address, a message and a token, prints the answer, and ends with 0 when all went well.
import type { JsonObject } from "../../core/json.ts";
import type { AgentSpec } from "../../core/agent.ts";
import { ruleOf, type Conformance, type ConformanceOptions } from "../../conformance/conformance.ts";
import { findingOf } from "../../conformance/demand.ts";
import { evidenceText, firstMessages, unevaluated, type Finding } from "../../conformance/finding.ts";
import { tryRules } from "../../conformance/try-rules.ts";
import { formatCommandLine } from "../../core/command-line.ts";
import type { EnvironmentProcess } from "../../core/ports/environments.ts";
import { runToEnd } from "../../runtime/processes/run-to-end.ts";
import { pause } from "../../runtime/time/pause.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import type { CapturedRequest, CapturedRequests } from "../scripted/captured-requests.ts";
import { createScript, type Script } from "../scripted/script.ts";
import type { ClientRule } from "./client-rule.ts";
import { CLIENT_RULES } from "./rules.ts";
import { TOKEN, type Places, type Scenario } from "./scenario.ts";
import { endOf, type Seen } from "./seen.ts";

export interface ExaminedAgent {
  url: string;
  captured: CapturedRequests;
  close(): Promise<void>;
}

type ClientFinding = Finding<readonly Seen[]>;

export interface ExaminerDeps {
  /** Serves an agent; `places` may be called once all servers are started. */
  serve(scenario: Scenario, script: Script, places: () => Places): Promise<ExaminedAgent>;
  /** Starts the client. */
  start(command: readonly string[], env: Readonly<Record<string, string>>): EnvironmentProcess;
}

/** Rules that are tried at once; few, because clients measure time, too. */
const AT_ONCE = 2;
const MESSAGE = "Where is the heron?";
const PATIENCE_MS = 1000;

export function createClientConformance(deps: ExaminerDeps): Conformance {
  return {
    name: "A2A client",
    versions: ["1.0"],
    rules: CLIENT_RULES.map(ruleOf),
    check(client, options) {
      const { only } = options;
      return tryRules({
        agent: client,
        options,
        rules: CLIENT_RULES.filter(({ id }) => only?.includes(id) !== false),
        tryRule: (rule) => examine(rule, client, options, deps),
        describe,
        atOnce: AT_ONCE,
      });
    },
  };
}

async function examine(
  rule: ClientRule,
  { command = [] }: AgentSpec,
  options: ConformanceOptions,
  deps: ExaminerDeps,
): Promise<ClientFinding> {
  const { scenario } = rule;
  const places: Partial<Places> = {};
  // Every request of a client gets the same turn.
  const script = { ...createScript(rule.id, [scenario.turn]), turn: () => scenario.turn };
  // Both servers are started before any client.
  const known = (): Places => places as Places;
  const agent = await deps.serve(scenario, script, known);
  const elsewhere = await deps.serve({ turn: scenario.turn }, script, known);
  try {
    places.agent = agent.url;
    places.elsewhere = elsewhere.url;
    const all: Seen[] = [];
    for (let time = 0; time < (scenario.times ?? 1); time++) {
      agent.captured.clear();
      all.push(await meet(scenario, { command, options, deps, agent, elsewhere }));
    }
    const [seen] = all;
    if (!seen) return unevaluated("the client was not started");
    const finding = neverAsked(seen) ?? (await findingOf(() => rule.judge(seen, all)));
    const reproduce = `proctor conform --as-agent a2a ${JSON.stringify(formatCommandLine(command))} --only ${rule.id}`;
    return { ...finding, evidence: all, ...(finding.outcome === "fail" && { reproduce }) };
  } finally {
    await Promise.all([agent.close(), elsewhere.close()]);
  }
}

interface Meeting {
  command: readonly string[];
  options: ConformanceOptions;
  deps: ExaminerDeps;
  agent: ExaminedAgent;
  elsewhere: ExaminedAgent;
}

async function meet(
  scenario: Scenario,
  { command, options, deps, agent, elsewhere }: Meeting,
): Promise<Seen> {
  const told = { url: agent.url, message: MESSAGE, token: TOKEN };
  const env = {
    ...options.environment,
    A2A_AGENT_URL: told.url,
    A2A_MESSAGE: told.message,
    A2A_TOKEN: told.token,
  };
  const left = new AbortController();
  const start = (): EnvironmentProcess => {
    const client = deps.start(
      command.map((word) => filledIn(word, told)),
      env,
    );
    if (scenario.interrupt) void interrupt(client, agent.captured, left.signal);
    return client;
  };
  try {
    const ended = await runToEnd(start, { command, timeoutMs: options.timeoutMs, signal: options.signal });
    return { requests: agent.captured.list(), elsewhere: elsewhere.captured.list(), ended };
  } finally {
    left.abort();
  }
}

/** Interrupts the client some time after the agent got its message, so that the client knows its task by then. */
async function interrupt(
  client: EnvironmentProcess,
  captured: CapturedRequests,
  signal: AbortSignal,
): Promise<void> {
  try {
    await Promise.any(["send", "stream"].map((operation) => captured.wait(1, { operation }, signal)));
    await pause(systemClock, PATIENCE_MS, signal);
    client.signal("SIGINT");
  } catch {
    // The client ended before.
  }
}

/** Replaces `{url}`, `{message}` and `{token}` in a word of the command line. */
function filledIn(word: string, told: Readonly<Record<string, string>>): string {
  return word.replaceAll(/\{(url|message|token)\}/g, (_, name: string) => told[name] ?? "");
}

/** Returns a finding for a client that sent no request: it does not know its agent's address, or cannot be started. */
function neverAsked(seen: Seen): ClientFinding | undefined {
  if (seen.requests.length > 0 || seen.elsewhere.length > 0) return undefined;
  return { ...unevaluated(`the client ${endOf(seen)}, and asked the agent for nothing`), unreachable: true };
}

function describe(all: readonly Seen[], hide: (text: string) => string): JsonObject {
  const requests = all.flatMap((seen) => [...seen.requests, ...seen.elsewhere]);
  const { code, stdout, stderr } = all.at(-1)?.ended ?? { code: 0, stdout: "", stderr: "" };
  return {
    ...firstMessages(requests, (request) => shown(request, hide)),
    exit_code: code,
    stdout: evidenceText(stdout, hide),
    stderr: evidenceText(stderr, hide),
  };
}

function shown(
  { method, path, operation, body, status }: CapturedRequest,
  hide: (text: string) => string,
): JsonObject {
  return {
    request: `${method} ${path}`,
    ...(operation !== undefined && { operation }),
    ...(body !== null && { body: evidenceText(JSON.stringify(body), hide) }),
    ...(status !== undefined && { status }),
  };
}
