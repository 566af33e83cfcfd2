// Tools that are scripts, in this process: checks them, keeps them, and calls them in their sandbox. The port core/ports/script-tools.ts.
import { hash } from "node:crypto";
import { OPERATOR, requireScope, type Caller } from "../core/caller.ts";
import { ProctorError } from "../core/errors.ts";
import type { Json, JsonObject } from "../core/json.ts";
import { messageOf } from "../core/message-of.ts";
import { parseJson } from "../core/parse-json.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { ScriptToolStore } from "../core/ports/script-tool-store.ts";
import type { ScriptTools } from "../core/ports/script-tools.ts";
import { refuseDeep } from "../core/refuse-deep.ts";
import type { SchemaFits } from "../core/schema-fits.ts";
import type { NewScriptTool, ScriptFailure, ScriptResult, ScriptTool } from "../core/script-tool.ts";
import { validate } from "../runtime/http/validate.ts";
import { NewScriptToolBody } from "../runtime/schemas/script-tool.ts";
import { limitsOf } from "./limits.ts";
import { runProgram, type OpenProgramPlace } from "./programs/run-program.ts";
import type { Sandbox } from "./sandbox/sandbox-pool.ts";
import { createTurns } from "./take-turns.ts";
import { never } from "../runtime/time/never.ts";

export interface ScriptToolsDeps {
  store: ScriptToolStore;
  clock: Clock;
  fits: SchemaFits;
  /** Loads the sandbox when the first script needs it. */
  sandbox: () => Promise<Sandbox>;
  openPlace: OpenProgramPlace;
  /** Makes the directory in which the files of programs are prepared, when the first program needs it. */
  scratch: () => Promise<string>;
}

type Answer = { log: string[] } & (
  | { ok: true; output: Json }
  | { ok: false; code: ScriptFailure; message: string }
);

const MB = 1024 * 1024;
/** Programs at once: each may have megabytes of memory and many processes. */
const PROGRAMS_AT_ONCE = 8;
const MAX_WAITING = 200;

export function createScriptTools(deps: ScriptToolsDeps): ScriptTools {
  const { store, clock, fits } = deps;
  const programs = createTurns(PROGRAMS_AT_ONCE, MAX_WAITING);

  async function get(name: string): Promise<ScriptTool> {
    const tool = await store.read(name);
    if (tool === undefined) throw notFound(name);
    return tool;
  }

  function checkSchema(field: "parameters" | "returns", schema: JsonObject): void {
    const problem = fits.problemOf(schema);
    if (problem !== undefined) throw invalid(field, `is no JSON Schema: ${problem}`);
  }

  async function runScript(tool: ScriptTool, input: Json | undefined, signal: AbortSignal): Promise<Answer> {
    const { time_ms: timeMs, memory_mb: memory, output_bytes: outputBytes } = limitsOf(tool);
    const text = input === undefined ? {} : { input: JSON.stringify(input) };
    const job = { source: tool.source, memoryBytes: memory * MB, outputBytes, ...text };
    const answer = await (await deps.sandbox()).run(job, timeMs, signal);
    if (!answer.ok) return answer;
    try {
      return { ok: true, output: parseJson(answer.output, "the output"), log: answer.log };
    } catch (error) {
      return { ok: false, code: "INVALID_OUTPUT", message: messageOf(error), log: answer.log };
    }
  }

  async function carryOut(tool: ScriptTool, input: Json, signal: AbortSignal): Promise<Answer> {
    const wrongInput = fits.departure(tool.parameters, input);
    if (wrongInput !== undefined) {
      return { ok: false, code: "INVALID_INPUT", message: `the input does not fit: ${wrongInput}`, log: [] };
    }
    const { language } = tool;
    const answer =
      language === "javascript"
        ? await runScript(tool, input, signal)
        : await programs.take(
            async () =>
              runProgram({ ...tool, language }, input, {
                limits: limitsOf(tool),
                openPlace: deps.openPlace,
                scratch: await deps.scratch(),
                signal,
              }),
            signal,
          );
    const wrong = answer.ok && tool.returns ? fits.departure(tool.returns, answer.output) : undefined;
    if (wrong === undefined) return answer;
    return {
      ok: false,
      code: "INVALID_OUTPUT",
      message: `the output does not fit: ${wrong}`,
      log: answer.log,
    };
  }

  return {
    async put(given, { replace = false } = {}, caller: Caller = OPERATOR) {
      requireScope(caller, "programs");
      refuseDeep(given, "the tool");
      // The schema's type is that of the document; what JSON cannot say is not in it.
      const tool = validate(NewScriptToolBody, given, "body") as NewScriptTool;
      limitsOf(tool);
      refuseMismatch(tool);
      if (tool.parameters["type"] !== "object") {
        throw invalid(
          "parameters",
          'must describe an object, as {"type": "object", …}: a tool is called with named values',
        );
      }
      checkSchema("parameters", tool.parameters);
      if (tool.returns) checkSchema("returns", tool.returns);
      const now = new Date(clock.now()).toISOString();
      const kept = { ...tool, sha256: hash("sha256", tool.source), created_at: now, updated_at: now };
      if (tool.language === "javascript") {
        // Loaded once, and not called, so that what is wrong with it is known now.
        const tried = await runScript(kept, undefined, never);
        if (!tried.ok) throw invalid("source", describe(tried, kept));
      }
      return store.put(kept, replace);
    },
    get,
    list: (page) => store.list(page),
    async remove(name, caller = OPERATOR) {
      requireScope(caller, "programs");
      if (!(await store.remove(name))) throw notFound(name);
    },
    async call(name, input, signal): Promise<ScriptResult> {
      refuseDeep(input, "the input");
      const tool = await get(name);
      const startedAt = clock.now();
      const answer = await carryOut(tool, input, signal);
      const duration = { duration_ms: Math.max(0, clock.now() - startedAt) };
      const { log } = answer;
      return answer.ok
        ? { ok: true, output: answer.output, ...duration, log }
        : { ok: false, code: answer.code, message: describe(answer, tool), ...duration, log };
    },
  };
}

function describe({ code, message }: { code: ScriptFailure; message: string }, tool: ScriptTool): string {
  const limits = limitsOf(tool);
  const kind = tool.language === "javascript" ? " of CPU time" : "";
  switch (code) {
    case "TOO_SLOW":
      return `stopped after ${limits.time_ms} ms${kind}, its limit`;
    case "TOO_MUCH_MEMORY":
      return `it needed more than ${limits.memory_mb} MB of memory, its limit: ${message}`;
    case "TOO_MUCH_OUTPUT":
      return `its output is longer than ${limits.output_bytes} bytes, its limit`;
    default:
      return message;
  }
}

function refuseMismatch({ language, environment, image }: NewScriptTool): void {
  if (language === "javascript" && (environment ?? image) !== undefined) {
    const field = environment === undefined ? "image" : "environment";
    throw invalid(field, "is for programs: javascript runs in the hub's own sandbox");
  }
  if (image !== undefined && environment !== undefined && environment !== "container") {
    throw invalid("image", "needs the environment container");
  }
}

function invalid(path: string, message: string): ProctorError {
  return new ProctorError("INVALID_REQUEST", `${path}: ${message}`, { details: [{ path, message }] });
}

function notFound(name: string): ProctorError {
  const next = "see: proctor tools list";
  return new ProctorError("TOOL_NOT_FOUND", `there is no tool named ${name}\n${next}`, { details: { name } });
}
