// A client's task on one of the hub's agents, whichever surface it came through: the run behind it, told in ATP's words.
import { AGENT_NAME } from "../../core/agent.ts";
import { OPERATOR, type Caller } from "../../core/caller.ts";
import { ProctorError } from "../../core/errors.ts";
import { isJsonObject, type Json } from "../../core/json.ts";
import { requireProgramsForRun } from "../../core/require-programs.ts";
import { isTerminal, type Run } from "../../core/run.ts";
import { DEFAULT_TIMEOUT_SECONDS } from "../../core/task.ts";
import type { TraceOrigin } from "../../core/trace.ts";
import { readArtifactContent } from "../artifact-content.ts";
import { checkClientEnvironment } from "../client-environment.ts";
import type { SurfaceOptions } from "../protocol.ts";
import { encodeEvent, encodeResponse } from "./codec.ts";
import { isStoredApart } from "./encode-artifacts.ts";
import { encodeFailure } from "./errors.ts";
import { taskKey } from "./formats.ts";
import { decodeRequest } from "./request.ts";
import { ATP_VERSION, type AtpResponse } from "./wire.ts";

export type ExecutionMessage =
  /** `text` is the ATP event as JSON. Sequences have no gaps from 0 and are the same on every read of the same run. */
  { kind: "event"; sequence: number; text: string } | { kind: "response"; text: string };

export interface Execution {
  runId: string;
  /** The task's id as the client sent it. */
  taskId: string;
  /** Events after a sequence (-1 for all) as they come, page by page; the very last message is the response. */
  messages(after: number, signal: AbortSignal): AsyncIterable<readonly ExecutionMessage[]>;
  /** Waits for the end and resolves with the response as JSON. Throws when the signal aborts first. */
  response(signal: AbortSignal): Promise<string>;
  /** Cancels the task; does nothing when it has ended. */
  cancel(reason: string): Promise<void>;
}

export interface Executions {
  /** Starts a task. Throws a ProctorError, which `refusal` puts into ATP's words. */
  start(
    agent: string,
    body: Json,
    options: TraceOrigin & { timeoutSeconds?: number; caller?: Caller },
  ): Promise<Execution>;
  /** Resolves with the newest task of this id at this agent. Throws RUN_NOT_FOUND. */
  find(agent: string, taskId: string): Promise<Execution>;
}

export function createExecutions({ hub, log }: Pick<SurfaceOptions, "hub" | "log">): Executions {
  function execution(runId: string, taskId: string): Execution {
    async function* messages(after: number, signal: AbortSignal): AsyncGenerator<ExecutionMessage[]> {
      let next = 0;
      for await (const records of log.records(runId, -1, signal)) {
        const page: ExecutionMessage[] = [];
        for (const record of records) {
          const text = encodeEvent(record, { taskId, sequence: next });
          if (text === undefined) continue;
          if (next > after) page.push({ kind: "event", sequence: next, text });
          next += 1;
        }
        if (records.at(-1)?.type === "run.ended") {
          page.push({ kind: "response", text: await answer(await hub.run(runId)) });
        }
        if (page.length > 0) yield page;
      }
    }

    async function answer(run: Run): Promise<string> {
      const contents = await readContents(run);
      return JSON.stringify(encodeResponse(run, (artifact) => contents.get(artifact.id), { taskId }));
    }

    async function readContents(run: Run): Promise<Map<string, Uint8Array>> {
      const contents = new Map<string, Uint8Array>();
      for (const artifact of run.artifacts) {
        const bytes = isStoredApart(artifact)
          ? await readArtifactContent(hub, runId, artifact.id)
          : undefined;
        if (bytes) contents.set(artifact.id, bytes);
      }
      return contents;
    }

    return {
      runId,
      taskId,
      messages,
      async response(signal) {
        return answer(await log.ended(runId, signal));
      },
      async cancel(reason) {
        try {
          await hub.cancel(runId, reason);
        } catch (error) {
          if (!ProctorError.is(error) || error.code !== "ILLEGAL_TRANSITION") throw error;
          if (!isTerminal((await hub.run(runId)).status)) throw error;
        }
      },
    };
  }

  return {
    async start(agent, body, { timeoutSeconds, caller = OPERATOR, ...origin }) {
      const decoded = decodeRequest(body);
      if (!decoded.ok) throw malformed(decoded.problems);
      refuseAddress(agent);
      const { request, taskId, violations } = decoded;
      requireProgramsForRun(caller, { ...request, agent });
      await checkClientEnvironment(hub, agent, request.context?.environment);
      const limit = request.constraints?.timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS;
      const shorter = timeoutSeconds !== undefined && timeoutSeconds < limit;
      const { run } = await hub.submit(
        {
          ...request,
          agent,
          alias: aliasOf(agent, taskId),
          ...(shorter && { constraints: { ...request.constraints, timeout_seconds: timeoutSeconds } }),
          ...(violations.length > 0 && { options: { request_violations: violations } }),
        },
        origin,
      );
      return execution(run.id, taskId);
    },
    async find(agent, taskId) {
      const { items } = await hub.runs({ alias: aliasOf(agent, taskId), limit: 1 });
      const [newest] = items;
      if (newest === undefined)
        throw new ProctorError("RUN_NOT_FOUND", `there is no task ${taskId} at ${agent}`);
      return execution(newest.id, taskId);
    },
  };
}

/** Throws for an agent without a name: an address in a path would let any client start programs by link. */
function refuseAddress(name: string): void {
  if (!AGENT_NAME.test(name)) throw new ProctorError("AGENT_NOT_FOUND", `there is no agent "${name}"`);
}

/** Returns the ATP response that refuses a task. */
export function refusal(error: ProctorError, taskId: string | undefined): AtpResponse {
  const details = isJsonObject(error.details) ? error.details : { problems: error.details ?? null };
  const code = CLIENT_ERRORS.has(error.status) ? "INVALID_REQUEST" : "INTERNAL_ERROR";
  return {
    version: ATP_VERSION,
    task_id: taskId ?? NO_TASK,
    status: "failed",
    artifacts: [],
    metrics: {},
    ...encodeFailure({ code, message: error.message, details: { ...details, code: error.code } }),
  };
}

/** Returns the task id of a body that may be anything. */
export function taskIdOf(body: Json | undefined): string | undefined {
  const id = isJsonObject(body) ? body["task_id"] : undefined;
  return typeof id === "string" && id.length > 0 && id.length <= 200 ? id : undefined;
}

/** Nil UUID for the strict form, which wants one even where the client gave none. */
const NO_TASK = "00000000-0000-0000-0000-000000000000";
const CLIENT_ERRORS = new Set([400, 401, 403, 404, 405, 406, 409, 413, 415, 426]);

function aliasOf(agent: string, taskId: string): string {
  return `atp/${agent}/${taskKey(taskId)}`;
}

function malformed(problems: readonly { path: string; message: string }[]): ProctorError {
  const message = problems.map((problem) => problem.message).join("\n");
  return new ProctorError("INVALID_REQUEST", message, {
    details: problems.map((problem) => ({ ...problem })),
  });
}
