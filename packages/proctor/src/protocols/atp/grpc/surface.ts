// Lets gRPC clients drive the agents that the hub knows: service atp.v1.Agent. The agent is named by the metadata
// `atp-agent`; where there is only one, it need not be.
import { Code, type ConnectError, type HandlerContext } from "@connectrpc/connect";
import { callerOf } from "../../../channels/grpc/caller-of.ts";
import { ProtoFormatError } from "../../../channels/grpc/proto-reader.ts";
import { joinSignals } from "../../../core/join-signals.ts";
import { OPERATOR, requireAgent, requireScope } from "../../../core/caller.ts";
import { ProctorError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { Hub } from "../../../core/ports/hub.ts";
import { MAX_TIMEOUT_SECONDS } from "../../../core/task.ts";
import { originOf } from "../../../core/trace.ts";
import type { GrpcRoutes } from "../../protocol.ts";
import type { Execution } from "../execution.ts";
import type { AtpSurfaceOptions } from "../surface-options.ts";
import { decodeRequestMessage, encodeResponseMessage, encodeStreamMessage } from "./messages.ts";
import {
  AGENT_SERVICE,
  type ShallowRequest,
  type ShallowResponse,
  type ShallowStreamResponse,
} from "./service.ts";
import { callError, encodeError } from "./status.ts";

/** Milliseconds that the run's own timeout, the deadline in whole seconds, has to come first. */
const AFTER_DEADLINE_MS = 2000;
const CLOCK_MS = 200;
const MAX_CHOICES = 20;

export function createGrpcRoutes(options: AtpSurfaceOptions & { hub: Hub }): GrpcRoutes {
  const { executions, stopping, hub } = options;

  async function start(request: ShallowRequest, context: HandlerContext): Promise<Execution> {
    if (stopping.aborted) throw shuttingDown();
    const body = readRequest(request);
    const caller = callerOf(context);
    const timeoutSeconds = Math.max(1, Math.ceil((context.timeoutMs() ?? Infinity) / 1000));
    return executions.start(await agentOf(hub, context), body, {
      ...(caller !== OPERATOR && { caller }),
      ...originOf(context.requestHeader.get("traceparent")),
      ...(timeoutSeconds <= MAX_TIMEOUT_SECONDS && { timeoutSeconds }),
    });
  }

  /** Cancels the run of a caller that is gone or has been refused an answer. */
  async function abandon(execution: Execution, context: HandlerContext): Promise<void> {
    if (stopping.aborted || context.requestHeader.get("atp-on-disconnect") === "keep") return;
    // Where even this fails, the task's own time limit ends it.
    const cancel = (reason: string): Promise<void> =>
      execution.cancel(reason).catch((problem: unknown) => options.report(problem, execution.runId));
    if (!isLate(context)) return cancel("the client left");
    setTimeout(() => void cancel("the deadline passed"), AFTER_DEADLINE_MS).unref();
  }

  async function execute(request: ShallowRequest, context: HandlerContext): Promise<ShallowResponse> {
    const execution = await start(request, context);
    const { signal, release } = joinSignals([context.signal, stopping]);
    try {
      const text = await execution.response(signal);
      return encodeResponseMessage(JSON.parse(text) as JsonObject);
    } catch (problem) {
      if (!signal.aborted) throw problem;
      await abandon(execution, context);
      throw interruption(context);
    } finally {
      release();
    }
  }

  async function* executeStream(
    request: ShallowRequest,
    context: HandlerContext,
  ): AsyncGenerator<ShallowStreamResponse> {
    const execution = await start(request, context).catch(rethrow);
    const { signal, release } = joinSignals([context.signal, stopping]);
    let answered = false;
    try {
      for await (const page of execution.messages(-1, signal)) {
        for (const { kind, text } of page) {
          answered ||= kind === "response";
          yield encodeStreamMessage(kind, JSON.parse(text) as JsonObject);
        }
      }
    } catch (problem) {
      if (!signal.aborted) rethrow(problem);
    } finally {
      release();
      if (!answered) await abandon(execution, context);
    }
    if (!answered) throw interruption(context);
  }

  function interruption(context: HandlerContext): ConnectError {
    if (isLate(context)) return callError("the deadline passed", Code.DeadlineExceeded);
    if (context.signal.aborted) return callError("the caller cancelled", Code.Canceled);
    return encodeError(shuttingDown());
  }

  return (router) => {
    router.service(AGENT_SERVICE, {
      execute: (request, context) => execute(request, context).catch(rethrow),
      executeStream,
      async cancel({ taskId, reason }, context) {
        try {
          if (!taskId)
            throw new ProctorError("INVALID_REQUEST", "task_id: says which task is to be cancelled");
          const execution = await executions.find(await agentOf(hub, context), taskId);
          await execution.cancel(reason ?? "cancelled by the client");
          return {};
        } catch (problem) {
          return rethrow(problem);
        }
      },
    });
  };
}

/** Throws the hub's errors with ATP's code; anything else is for the server to report. */
function rethrow(problem: unknown): never {
  throw ProctorError.is(problem) ? encodeError(problem) : problem;
}

function shuttingDown(): ProctorError {
  return new ProctorError("SHUTTING_DOWN", "the hub is stopping\ncome back later");
}

function readRequest(request: ShallowRequest): JsonObject {
  try {
    return decodeRequestMessage(request);
  } catch (problem) {
    if (!(problem instanceof ProtoFormatError)) throw problem;
    throw new ProctorError("INVALID_REQUEST", `the request cannot be read: ${problem.message}`);
  }
}

/** Throws SCOPE_MISSING or FORBIDDEN: every call of the service has an effect. */
async function agentOf(hub: Hub, context: HandlerContext): Promise<string> {
  const caller = callerOf(context);
  requireScope(caller, "runs:write");
  const agent = await namedAgent(hub, context);
  requireAgent(caller, agent);
  return agent;
}

async function namedAgent(hub: Hub, { requestHeader }: HandlerContext): Promise<string> {
  const named = requestHeader.get("atp-agent");
  if (named !== null) return named;
  const { items } = await hub.agents({ limit: MAX_CHOICES });
  const [only, ...others] = items.map(({ name }) => name);
  if (only !== undefined && others.length === 0) return only;
  const next =
    only === undefined
      ? "there is none yet: add one with proctor agents add <name> <address>"
      : `name one in the metadata atp-agent: ${[only, ...others].join(", ")}`;
  throw new ProctorError("INVALID_REQUEST", `the call does not say which agent is meant\n${next}`, {
    details: { agents: items.map(({ name }) => name) },
  });
}

/** Returns true when the call ended by its deadline. A client that watches its own clock leaves a moment before ours says so. */
function isLate(context: HandlerContext): boolean {
  return context.signal.aborted && (context.timeoutMs() ?? Infinity) < CLOCK_MS;
}
