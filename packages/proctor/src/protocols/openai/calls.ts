// Carries out what the model calls: a tool of the run, or a question to the user. Whatever goes wrong is told to the model, which may do
// better in the next round.
import type { Clock } from "../../core/ports/clock.ts";
import type { AgentReport } from "../../core/ports/driver.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { parseObject } from "../../core/parse-object.ts";
import { encodeAnswer } from "./codec.ts";
import type { Functions } from "./functions.ts";
import type { Questions } from "./questions.ts";
import { troubled, type RunTools, type ToolResult } from "./tools.ts";
import type { OpenaiMessage, OpenaiSentCall } from "./wire.ts";

interface CallsOptions {
  functions: Functions;
  tools: RunTools;
  questions: Questions;
  clock: Clock;
  signal: AbortSignal;
}

/** Returns the message that answers the call. */
export type PerformCall = (call: OpenaiSentCall) => AsyncGenerator<AgentReport, OpenaiMessage>;

const MAX_ID_CHARS = 200;
const NOT_JSON = "the arguments are not a JSON object; call the function again with valid JSON";

export function createCalls({ functions, tools, questions, clock, signal }: CallsOptions): PerformCall {
  const used = new Set<string>();

  /** Returns the model's id of the call, made unique: some servers start again with each answer. */
  function callIdOf(id: string): string {
    const short = id.length > MAX_ID_CHARS ? "call" : id;
    let unique = short;
    for (let number = 2; used.has(unique); number++) unique = `${short}#${number}`;
    used.add(unique);
    return unique;
  }

  async function* ask(input: JsonObject): AsyncGenerator<AgentReport, string> {
    const { question } = input;
    if (typeof question !== "string" || question.trim() === "") {
      return contentOf(troubled('"question" is missing, or no text'));
    }
    const answer = yield* questions.ask(question, signal);
    return answer === undefined ? "" : encodeAnswer(answer);
  }

  return async function* perform({ id, function: called }) {
    const reply = (content: string): OpenaiMessage => ({ role: "tool", tool_call_id: id, content });
    const callId = callIdOf(id);
    const offered = functions.find(called.name);
    const input = called.arguments.trim() === "" ? {} : parseObject(called.arguments);
    if (offered?.kind === "ask" && input !== undefined) return reply(yield* ask(input));
    const startedAt = clock.now();
    const result =
      offered?.kind !== "tool"
        ? troubled(`there is no function ${JSON.stringify(called.name.slice(0, MAX_ID_CHARS))}`)
        : input === undefined
          ? troubled(NOT_JSON)
          : await tools.call(offered.name, input, callId, signal);
    const tool = offered?.kind === "tool" ? offered.name : called.name;
    yield callReport(tool, input ?? called.arguments, result, {
      callId,
      durationMs: clock.now() - startedAt,
    });
    return reply(contentOf(result));
  };
}

function callReport(
  tool: string,
  input: Json,
  { status, output, error }: ToolResult,
  { callId, durationMs }: { callId: string; durationMs: number },
): AgentReport {
  const payload = {
    tool,
    input,
    ...(output !== undefined && { output }),
    duration_ms: Math.max(0, durationMs),
    status,
    ...(error !== undefined && { error }),
    call_id: callId,
  };
  return { kind: "event", event: { type: "tool_call", payload } };
}

/** Returns the text for the model: the output, or what went wrong. */
function contentOf({ status, output, error, error_code: code }: ToolResult): string {
  if (error !== undefined || status === "error") {
    return JSON.stringify({
      error: error ?? "the tool failed",
      ...(code !== undefined && { error_code: code }),
    });
  }
  return typeof output === "string" ? output : JSON.stringify(output ?? null);
}
