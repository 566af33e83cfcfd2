// A job as the call of a tool, and what a server says of it as reports. Pure.
import { feedbackIn } from "../../core/feedback.ts";
import { failure, type Failure } from "../../core/failure.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { AgentReport, Job } from "../../core/ports/driver.ts";
import { fillTemplate } from "../placeholders.ts";
import { logReport } from "../reports.ts";
import { sketch } from "../sketch.ts";
import { createSpokenAnswer, resultReport } from "../spoken-answer.ts";
import { messageOfTask } from "../turns.ts";
import { blockReports } from "./artifacts.ts";
import { toolFailure, unusable } from "./errors.ts";
import type { McpOptions } from "./options.ts";
import { contentBlock, INPUT_REQUIRED, toolResult } from "./wire.ts";

export interface ToolCall {
  name: string;
  input: Json;
}

/** Returns the capability that the run names, with its input; otherwise the tool that the agent's options name. */
export function encodeCall(job: Job, options: McpOptions): ToolCall | { refused: Failure } {
  const { task, options: asked } = job;
  if (asked?.capability !== undefined) return { name: asked.capability, input: task.input_data ?? {} };
  if (options.tool === undefined) return { refused: noTool() };
  const template = options.arguments;
  if (template === undefined) return { name: options.tool, input: task.input_data ?? {} };
  const values = {
    task: task.description,
    message: messageOfTask(job),
    input: task.input_data ?? null,
    feedback: feedbackIn(job.metadata) ?? null,
    conversation_id: job.conversation?.id ?? job.runId,
    history: [],
  };
  return { name: options.tool, input: fillTemplate(template, values) };
}

function noTool(): Failure {
  return failure(
    "INVALID_REQUEST",
    "an MCP server has tools, and the run does not say which one to call\nname it as the capability (proctor run --capability <tool>), or in the agent's options.tool",
  );
}

const MAX_LOG_CHARS = 8000;

/** Returns the reports of a server's notification while the tool is at work. */
export function decodeNotification({ method, params }: JsonObject): AgentReport[] {
  if (!isJsonObject(params)) return [];
  if (method === "notifications/progress") return [{ kind: "event", event: progressOf(params) }];
  if (method !== "notifications/message") return [];
  const { data = null } = params;
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return [logReport(text.slice(0, MAX_LOG_CHARS), Math.max(0, text.length - MAX_LOG_CHARS))];
}

function progressOf({ progress, total, message }: JsonObject) {
  const isShare = typeof progress === "number" && typeof total === "number" && total > 0;
  return {
    type: "progress" as const,
    payload: {
      ...(typeof progress === "number" && { current_step: progress }),
      ...(typeof total === "number" && { total_steps: total }),
      ...(isShare && { percentage: Math.min(100, (100 * progress) / total) }),
      ...(typeof message === "string" && { message }),
    },
  };
}

/** Returns the reports of a result, the last of which ends the run. */
export function decodeResult(name: string, result: Json): AgentReport[] {
  const checked = toolResult.safeParse(result);
  if (!checked.success) return [failed(unusable("with no result of a tool"))];
  const { content = [], structuredContent, isError, resultType } = checked.data;
  if (resultType === INPUT_REQUIRED) {
    return [failed(failure("NO_ANSWER", `the tool ${name} asks for more, and nobody can be asked`))];
  }
  const blocks = content.map((block) => contentBlock.safeParse(block).data);
  const text = blocks.flatMap((block) => (block?.type === "text" ? [block.text] : [])).join("\n");
  if (isError === true) return [failed(toolFailure(name, text))];
  const spoken = createSpokenAnswer();
  return [
    ...blocks.flatMap((block, index) =>
      block ? blockReports(block, index) : [unknownBlock(content[index])],
    ),
    ...spoken.say(text),
    ...spoken.close(),
    ...outputReports(text, structuredContent),
    { kind: "end", end: { status: "completed" } },
  ];
}

/** Structured content is the output that a capability's `returns` describes; text is wrapped, as every answer that is text. */
function outputReports(text: string, structured: Json | undefined): AgentReport[] {
  if (structured !== undefined) {
    return [{ kind: "artifact", artifact: { type: "structured", name: "result", data: structured } }];
  }
  return text === "" ? [] : [resultReport(text)];
}

/** Reports a block of another revision as an unknown one. */
function unknownBlock(block: Json | undefined): AgentReport {
  return logReport(`a block of content that is not known: ${sketch(block)}`);
}

export function failed(why: Failure): AgentReport {
  return { kind: "end", end: { status: "failed", failure: why } };
}
