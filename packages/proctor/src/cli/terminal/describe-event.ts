// What an event says, in a few words. Agents may leave out any field or send another type than promised, so every
// value is looked at before it is used.
import { ownerOf } from "../../core/violation-owner.ts";
import { artifactName, type Artifact } from "../../core/artifact.ts";
import type { EnvironmentFacts } from "../../core/environment.ts";
import type { AgentEventPayloads, PlatformEventPayloads, RunEvent } from "../../core/event.ts";
import { isJsonObject, type Json } from "../../core/json.ts";
import { textOf } from "../../core/message.ts";
import type { Answer, Question } from "../../core/question.ts";
import type { ObservedCall } from "../../core/tools.ts";
import { describeGoalEvent } from "./describe-goal-event.ts";
import { formatBytes, formatCost, formatCount, formatDuration, plural } from "./amounts.ts";
import { oneLine, textWidth, truncate } from "./text.ts";

const SEPARATOR = " · ";
const MAX_JSON = 2000;
const MIN_INPUT_COLUMNS = 12;

/** Returns the description. `columns` is the room there is: the result may be longer, but then its less important parts are cut. */
export function describeEvent(event: RunEvent, columns = Infinity): string {
  switch (event.type) {
    case "run.created":
      return `${event.payload.agent}${SEPARATOR}${event.payload.task.description}`;
    case "run.queued":
      return describeDelay(event.payload.not_before, event.timestamp);
    case "run.started":
      return `on ${event.payload.worker}`;
    case "run.paused":
    case "run.resumed":
    case "run.pause_requested":
    case "run.resume_requested":
      return "";
    case "run.cancel_requested":
      return event.payload.reason;
    case "run.ended": {
      const { failure, retried_as } = event.payload;
      const reason = failure === undefined ? "" : `${failure.code}: ${failure.message}`;
      return join([reason, retried_as !== undefined && `retried as ${retried_as}`]);
    }
    case "artifact.added":
      return describeArtifact(event.payload.artifact);
    case "artifact.removed":
      return event.payload.artifact_id;
    case "step.added":
      return join([event.payload.name, event.payload.step_id]);
    case "step.changed": {
      const { step_id, status, output, is_last } = event.payload;
      const said = output === undefined ? undefined : compact(output);
      return join([step_id, status, is_last === true && "the last", said]);
    }
    case "process.exited": {
      const { code, signal, leftover } = event.payload;
      const how = signal === null ? `with code ${code}` : `by ${signal}`;
      return join([
        how,
        leftover !== undefined &&
          leftover > 0 &&
          `${formatCount(leftover)} of its processes left behind and killed`,
      ]);
    }
    case "log": {
      const { text, dropped_bytes } = event.payload;
      return dropped_bytes === undefined ? text : `${text} … (${formatBytes(dropped_bytes)} more)`;
    }
    case "violation": {
      const { rule, message, where, repeated } = event.payload;
      return join([
        `${rule}: ${message}`,
        where !== undefined && !message.startsWith(where) && where,
        ownerOf(event.payload) === "proctor" && "not in the document",
        repeated !== undefined && `${formatCount(repeated)} more like it`,
      ]);
    }
    case "workspace.kept":
      return `kept${event.payload.until === undefined ? "" : ` until it is ${event.payload.until}`}: ${event.payload.path}`;
    case "environment.opened":
      return describeEnvironment(event.payload);
    case "message.added":
      return compact(textOf(event.payload.message.parts));
    case "message.opened":
      return "begins to speak";
    case "message.delivered":
      return "the agent has the message";
    case "question.delivered":
      return "the agent has the answer";
    case "artifact.opened":
      return join([event.payload.name, "begins"]);
    case "message.extended":
      return event.payload.text;
    case "message.closed":
      return join([
        `said, ${plural(event.payload.chars, "character")}`,
        event.payload.parts.length > 0 && compact(textOf(event.payload.parts)),
      ]);
    case "question.asked":
      return describeQuestion(event.payload.question);
    case "question.answered":
      return describeAnswer(event.payload.answer);
    case "question.withdrawn":
      return event.payload.reason;
    case "question.notified":
      return event.payload.to.join(", ");
    case "question.expired":
      return describeExpiry(event.payload);
    case "session.opened":
      return join([event.payload.protocol, event.payload.ids && compact(event.payload.ids)]);
    case "session.parked":
      return join(["nothing is held here", checkAt(event.payload.check_at, event.timestamp)]);
    case "plan.made":
    case "plan.refused":
    case "subtask.expanded":
    case "subtask.started":
    case "subtask.retried":
    case "subtask.reviewed":
    case "subtask.settled":
      return describeGoalEvent(event);
    case "artifact.extended":
      return formatBytes(event.payload.size_bytes);
    case "wire.message": {
      const { channel, name, status, text: said, dropped_bytes } = event.payload;
      const dropped = dropped_bytes !== undefined && `${formatBytes(dropped_bytes)} dropped`;
      return join([channel, text(name), status !== undefined && String(status), compact(said), dropped]);
    }
    case "tool.called":
      return describeObserved(event.payload, columns);
    case "unknown":
      return join([event.payload.event_type, compact(event.payload.payload)]);
    case "tool_call":
      return describeTool(event.payload);
    case "llm_request":
      return describeModel(event.payload);
    case "reasoning":
      return (
        text(event.payload.thought) ??
        text(event.payload.step) ??
        compact(event.payload.plan ?? event.payload)
      );
    case "state_change": {
      const { from_state, to_state, reason } = event.payload;
      return join([`${text(from_state) ?? "?"} → ${text(to_state) ?? "?"}`, text(reason)]);
    }
    case "artifact_created": {
      const { artifact_type, path, size_bytes } = event.payload;
      return join([text(path), text(artifact_type), bytes(size_bytes), "announced"]);
    }
    case "error": {
      const { error_type, message, recoverable } = event.payload;
      const said = [text(error_type), text(message)].filter((part) => part !== undefined).join(": ");
      return join([said || compact(event.payload), recoverable === true && "recoverable"]);
    }
    case "progress":
      return describeProgress(event.payload);
    default:
      return event satisfies never;
  }
}

function describeQuestion({ kind, parts, options = [] }: Question): string {
  const choices = options.map(({ name }) => name).join(" / ");
  return join([`${kind === "input" ? "" : `${kind}: `}${compact(textOf(parts))}`, choices]);
}

/** Describes what was answered when the question expired, and by whom. */
function describeExpiry({ effect, answer }: PlatformEventPayloads["question.expired"]): string {
  if (effect === "fail") return "nobody answered: the run cannot go on";
  return `nobody answered in time: ${answer === undefined ? "denied" : describeAnswer(answer)}`;
}

export function describeAnswer({ by, outcome, option, parts, data }: Answer): string {
  const said = [
    option,
    parts === undefined ? undefined : compact(textOf(parts)),
    data === undefined ? undefined : compact(data),
  ].find((one) => one !== undefined && one !== "");
  const given =
    outcome === "declined" ? `declined${said === undefined ? "" : `: ${said}`}` : (said ?? "given");
  return join([given, `by ${by.name ?? ANSWERED_BY[by.kind]}`]);
}

const ANSWERED_BY: Record<Answer["by"]["kind"], string> = {
  client: "a client",
  human: "a person",
  policy: "the policy",
  simulator: "the simulated user",
};

function checkAt(time: string | undefined, parkedAt: string): string | undefined {
  const waitMs = time === undefined ? Number.NaN : Date.parse(time) - Date.parse(parkedAt);
  return waitMs > 0 ? `looked after in ${formatDuration(waitMs)}` : undefined;
}

function describeEnvironment({
  role,
  kind,
  isolated,
  profile,
  root,
  network,
  notes,
}: EnvironmentFacts): string {
  const walls = isolated ? join([kind, profile]) : `${kind}, not isolated`;
  return join([
    `${role} in ${walls}`,
    `root ${root}`,
    network === "none" ? "no network" : `network ${network}`,
    ...notes.map((note) => `note: ${note}`),
  ]);
}

function describeArtifact(artifact: Artifact): string {
  return join([
    artifactName(artifact),
    artifact.type === "file" ? text(artifact.content_type) : artifact.type,
    bytes(artifact.size_bytes),
    artifact.redacted === true && "secrets removed",
  ]);
}

function describeDelay(notBefore: string | undefined, queuedAt: string): string {
  const waitMs = notBefore === undefined ? Number.NaN : Date.parse(notBefore) - Date.parse(queuedAt);
  return waitMs > 0 ? `waits ${formatDuration(waitMs)}` : "";
}

/** Describes a call. How it went matters more than what went in: where there is little room, the input is cut. */
function describeObserved(call: ObservedCall, columns: number): string {
  const { tool, input, status, error, error_code, duration_ms, mode } = call;
  const trouble = error === undefined ? status : [error_code, error].filter(Boolean).join(": ");
  const rest = join([trouble, formatDuration(duration_ms), mode !== "none" && mode]);
  const room = columns - textWidth(oneLine(`${tool}()${SEPARATOR}${rest}`));
  const given = truncate(oneLine(compact(input)), Math.max(MIN_INPUT_COLUMNS, room));
  return `${tool}(${given})${SEPARATOR}${rest}`;
}

function describeTool(call: AgentEventPayloads["tool_call"]): string {
  const { tool, input, output, duration_ms, status, error } = call;
  const typed = describeCommand(call);
  if (typed !== undefined)
    return join([typed, text(status) === "timeout" && "timed out", duration(duration_ms)]);
  const called = `${text(tool) ?? "?"}(${input === undefined ? "" : compact(input)})`;
  const answered = text(error) ?? (output === undefined ? undefined : compact(output));
  return join([
    answered === undefined ? called : `${called} → ${answered}`,
    text(status) !== "success" && text(status),
    duration(duration_ms),
  ]);
}

/** Describes what was typed into a terminal, and what it printed. */
function describeCommand({ input, output }: AgentEventPayloads["tool_call"]): string | undefined {
  if (!isJsonObject(input) || !isJsonObject(output)) return undefined;
  const { output: shown, exit_code: code } = output;
  const typed = typeof input["command"] === "string" ? `$ ${input["command"]}` : keysOf(input["commands"]);
  if (typeof shown !== "string" || typed === undefined) return undefined;
  const exit = code === 0 || code === null || code === undefined ? "" : ` (exit ${JSON.stringify(code)})`;
  return `${typed}${exit}${shown === "" ? "" : ` → ${shown}`}`;
}

/** Returns keystrokes as people write them: `⌨ echo hello⏎`. */
function keysOf(commands: Json | undefined): string | undefined {
  if (!Array.isArray(commands)) return undefined;
  const keys = commands.map((entry) => (isJsonObject(entry) ? entry["keystrokes"] : undefined));
  if (!keys.every((one) => typeof one === "string")) return undefined;
  return `⌨ ${keys.join("").replaceAll(/\r\n?|\n/g, "⏎")}`.trimEnd();
}

function describeModel(request: AgentEventPayloads["llm_request"]): string {
  const { model, input_tokens, output_tokens, duration_ms, cost_usd, stop_reason } = request;
  return join([
    text(model) ?? "a model",
    number(input_tokens) && `${formatCount(input_tokens)} in`,
    number(output_tokens) && `${formatCount(output_tokens)} out`,
    number(cost_usd) && formatCost(cost_usd),
    duration(duration_ms),
    text(stop_reason),
  ]);
}

function describeProgress(progress: AgentEventPayloads["progress"]): string {
  const { current_step, total_steps, percentage, message } = progress;
  const steps =
    number(current_step) && (number(total_steps) ? `${current_step}/${total_steps}` : `step ${current_step}`);
  return join([steps, number(percentage) && `${Math.round(percentage)}%`, text(message)]);
}

function join(parts: (string | false | undefined)[]): string {
  return parts.filter((part) => part !== false && part !== undefined && part !== "").join(SEPARATOR);
}

function compact(value: Json): string {
  const json = typeof value === "string" ? value : JSON.stringify(value);
  return json.length > MAX_JSON ? `${json.slice(0, MAX_JSON)}…` : json;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function number(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function bytes(value: unknown): string | undefined {
  return number(value) ? formatBytes(value) : undefined;
}

function duration(value: unknown): string | undefined {
  return number(value) ? formatDuration(value) : undefined;
}
