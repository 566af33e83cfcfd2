// A run as a suite of one test: the same task for the same agent, what its tools answered as mocks, what it produced as checks. A beginning that
// people edit: what a run said once need not be all that is right.
import { canonicalJson } from "./canonical-json.ts";
import type { Artifact } from "./artifact.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Hub } from "./ports/hub.ts";
import { readLog } from "./read-log.ts";
import { requireEnded } from "./require-ended.ts";
import type { Run } from "./run.ts";
import { escapeVariables, statusCheck, suiteAgent } from "./suite-parts.ts";
import type { MockAnswer, MockRule, ObservedCall, ToolDefinition } from "./tools.ts";

/** Bytes of an artifact that a check holds whole; in a longer text it looks for the beginning. */
const WHOLE_BYTES = 4096;
const BEGINNING_CHARS = 200;
const MAX_ARTIFACTS = 20;
/** Most calls of tools that become mocks. */
const MAX_CALLS = 1000;

type Source = Pick<Hub, "run" | "agent" | "events" | "readArtifact">;

/** Throws RUN_NOT_FOUND, and ILLEGAL_TRANSITION for a run that has not ended. */
export async function suiteOfRun(hub: Source, id: string): Promise<JsonObject> {
  const run = await hub.run(id);
  requireEnded(run);
  const agent = await suiteAgent(hub, run.agent, 1);
  const { description, input_data: input } = run.task;
  const tools = await mocksOf(hub, id);
  const checks: JsonObject[] = [];
  for (const artifact of run.artifacts.filter(isMade).slice(0, MAX_ARTIFACTS))
    checks.push(...(await checksOf(hub, id, artifact)));
  const suite = {
    test_suite: `run-${id.slice(-8)}`,
    description: `From run ${id}. Edit the checks: they hold the agent to every character of what it said.`,
    agents: [agent],
    tests: [
      {
        id: `run-${id.slice(-8)}`,
        name: nameOf(run),
        agents: [agent["name"] ?? ""],
        task: { description, ...(input && { input_data: input }) },
        ...(Object.keys(run.constraints).length > 0 && { constraints: run.constraints as JsonObject }),
        ...(tools.length > 0 && { tools: { tools } }),
        assertions: [statusCheck(run.status), ...checks],
      },
    ],
  };
  // An object stays an object.
  return escapeVariables(suite) as JsonObject;
}

function nameOf({ task }: Run): string {
  const line = task.description.trim().split("\n")[0] ?? "";
  return line === "" ? "A run" : line.slice(0, 80).toWellFormed();
}

/** Clients' files are not what the agent made. */
function isMade({ agent_created }: Artifact): boolean {
  return agent_created !== false;
}

async function checksOf(hub: Source, runId: string, artifact: Artifact): Promise<JsonObject[]> {
  if (artifact.type === "reference") return [];
  if (artifact.type === "structured") {
    const { data } = artifact;
    const isSmall = data !== undefined && JSON.stringify(data).length <= WHOLE_BYTES;
    return isSmall ? [{ type: "equals", config: { value: data } }] : [exists(artifact.name)];
  }
  const { path } = artifact;
  const text = artifact.content_hash === undefined ? undefined : await beginningOf(hub, runId, artifact.id);
  if (text === undefined) return [exists(path)];
  if (text.isWhole) return [{ type: "equals", config: { text: text.text, path } }];
  return [
    { type: "contains", config: { pattern: text.text.slice(0, BEGINNING_CHARS).toWellFormed(), path } },
  ];
}

const exists = (path: string): JsonObject => ({ type: "artifact_exists", config: { path } });

/** Resolves with undefined for an empty artifact and for one that is not text. */
async function beginningOf(
  hub: Source,
  runId: string,
  artifactId: string,
): Promise<{ text: string; isWhole: boolean } | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of await hub.readArtifact(runId, artifactId)) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > WHOLE_BYTES) break;
  }
  const isWhole = size <= WHOLE_BYTES;
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  try {
    // What is cut off may end within a character.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: !isWhole });
    return text.trim() === "" || text.includes("\0") ? undefined : { text, isWhole };
  } catch {
    return undefined;
  }
}

/** What the hub's tools answered, by tool and input: the same call gets the same answers in the same order. */
async function mocksOf(hub: Source, runId: string): Promise<ToolDefinition[]> {
  const tools = new Map<string, Map<string, { input: Json; answers: MockAnswer[] }>>();
  let calls = 0;
  for await (const event of readLog(hub, runId)) {
    if (event.type !== "tool.called" || event.payload.mode === "lab" || event.payload.mode === "none")
      continue;
    if (++calls > MAX_CALLS) break;
    const { tool, input } = event.payload;
    const rules = tools.get(tool) ?? new Map<string, { input: Json; answers: MockAnswer[] }>();
    tools.set(tool, rules);
    const key = canonicalJson(input);
    const rule = rules.get(key) ?? { input, answers: [] };
    rules.set(key, rule);
    rule.answers.push(answerOf(event.payload));
  }
  return [...tools].map(([name, rules]) => ({ name, responses: [...rules.values()].map(ruleOf) }));
}

function ruleOf({ input, answers }: { input: Json; answers: MockAnswer[] }): MockRule {
  const [only, ...others] = answers;
  // oxlint-disable-next-line unicorn/no-thenable -- the format's own key; its value is never a function
  return { when: { type: "exact", pattern: input }, then: others.length === 0 && only ? only : answers };
}

function answerOf({ output, error, error_code, status, http_status }: ObservedCall): MockAnswer {
  return {
    ...(output !== undefined && { output }),
    ...(error !== undefined && { error }),
    ...(error_code !== undefined && { error_code }),
    ...(status !== "success" && error === undefined && { status }),
    ...(http_status !== undefined && { http_status }),
  };
}
