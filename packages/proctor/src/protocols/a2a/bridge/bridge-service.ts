// An agent as it is, for clients of the other version of A2A: ids, files and credentials stay what they are, only the words change. What the
// other version cannot say is noted in the metadata of what the client gets, and told to whoever runs the bridge.
import { messageOf } from "../../../core/message-of.ts";
import { DerivedCall } from "../derived-call.ts";
import { A2aError } from "../errors.ts";
import { createLossNotes, type LossNotes } from "../gateway/losses.ts";
import type { Connection, Downstream } from "../gateway/downstream.ts";
import type { Loss } from "../codec.ts";
import type { AgentCard, StreamResponse } from "../model.ts";
import type { A2aCall, A2aOperation, A2aService, A2aStream, A2aVersion, StreamFrame } from "../service.ts";
import { isTerminalState } from "../states.ts";

/** One request that came over the bridge. */
export interface BridgeCall {
  operation: A2aOperation;
  /** Losses in translation, in both directions. */
  losses: readonly Loss[];
  /** Reason why the request was refused, or broke off. */
  error?: string;
}

export interface BridgeServiceOptions {
  downstream: Downstream;
  /** The version that clients of the bridge speak. */
  to: A2aVersion;
  /** Called for every request when it has its answer; for a stream when it has ended. */
  onCall: (call: BridgeCall) => void;
}

interface Crossing extends Connection {
  notes: LossNotes;
  inner: A2aCall;
}

const BINDINGS = ["JSONRPC", "HTTP+JSON"] as const;

export function createBridgeService({ downstream, to, onCall }: BridgeServiceOptions): A2aService {
  /** Passes a request over the bridge and reports it. With `keepOpen` the answer is a stream, which reports itself. */
  async function cross<T>(
    operation: A2aOperation,
    call: A2aCall,
    work: (crossing: Crossing, losses: Loss[]) => Promise<T>,
    keepOpen = false,
  ): Promise<T> {
    const losses: Loss[] = [];
    try {
      const connection = await downstream(call);
      const { version } = connection;
      const notes = createLossNotes({
        client: to,
        agent: version,
        onLosses: (more) => losses.push(...more),
      });
      const inner = new DerivedCall(call, { version, lastEventId: call.lastEventId });
      const result = await work({ ...connection, notes, inner }, losses);
      if (!keepOpen) onCall({ operation, losses });
      return result;
    } catch (error) {
      onCall({ operation, losses, error: messageOf(error) });
      throw error;
    }
  }

  function openStream(
    operation: "stream" | "subscribe",
    call: A2aCall,
    open: (crossing: Crossing) => Promise<A2aStream>,
  ): Promise<A2aStream> {
    return cross(
      operation,
      call,
      async (crossing, losses) => {
        const frames = noted(await open(crossing), crossing.notes);
        return watched(frames, (error) => onCall({ operation, losses, ...(error && { error }) }));
      },
      true,
    );
  }

  return {
    card: (call) => cross("card", call, async ({ card }) => bridgeCard(card, call, to)),
    extendedCard: (call) =>
      cross("extendedCard", call, async ({ service, inner }) =>
        bridgeCard(await service.extendedCard(inner), call, to),
      ),
    send: (request, call) =>
      cross("send", call, async ({ service, notes, inner }) => {
        refusePush(request.configuration?.taskPushNotificationConfig);
        notes.request(request);
        return notes.result("send", await service.send(request, inner));
      }),
    stream: (request, call) =>
      openStream("stream", call, ({ service, notes, inner }) => {
        refusePush(request.configuration?.taskPushNotificationConfig);
        notes.request(request);
        return service.stream(request, inner);
      }),
    subscribe: (request, call) =>
      openStream("subscribe", call, async ({ service, version, inner }) => {
        if (version === "1.0") return service.subscribe(request, inner);
        // Clients of 1.0 rely on the task as the first frame; 0.3 does not promise it.
        const task = await service.getTask(request, inner);
        if (isTerminalState(task.status.state)) {
          throw new A2aError("UNSUPPORTED_OPERATION", "the task is over: there is nothing to subscribe to");
        }
        return beginningWith({ task }, await service.subscribe(request, inner));
      }),
    getTask: (request, call) =>
      cross("getTask", call, async ({ service, notes, inner }) =>
        notes.result("getTask", await service.getTask(request, inner)),
      ),
    listTasks: (request, call) =>
      cross("listTasks", call, ({ service, inner }) => service.listTasks(request, inner)),
    cancelTask: (request, call) =>
      cross("cancelTask", call, async ({ service, notes, inner }) =>
        notes.result("cancelTask", await service.cancelTask(request, inner)),
      ),
    createPushConfig: (_, call) => cross("createPushConfig", call, refusing),
    getPushConfig: (_, call) => cross("getPushConfig", call, refusing),
    listPushConfigs: (_, call) => cross("listPushConfigs", call, refusing),
    deletePushConfig: (_, call) => cross("deletePushConfig", call, refusing),
  };
}

/**
 * Returns the agent's own card with the bridge's address, without signatures and push notifications: a signature holds for what the agent wrote, and
 * notifications would come in the agent's version.
 */
function bridgeCard(card: AgentCard, { origin, basePath }: A2aCall, to: A2aVersion): AgentCard {
  const { signatures: _, ...rest } = card;
  const url = `${origin}${basePath}`;
  return {
    ...rest,
    supportedInterfaces: BINDINGS.map((protocolBinding) => ({ url, protocolBinding, protocolVersion: to })),
    capabilities: { ...card.capabilities, pushNotifications: false },
  };
}

function refusePush(config: unknown): void {
  if (config !== undefined) throw noPush();
}

function refusing(): Promise<never> {
  return Promise.reject(noPush());
}

function noPush(): A2aError {
  return new A2aError(
    "PUSH_NOTIFICATION_NOT_SUPPORTED",
    "the agent's notifications would come in its own version; the bridge's card says that there are none",
  );
}

async function* beginningWith(event: StreamResponse, stream: A2aStream): AsyncGenerator<StreamFrame> {
  yield { event };
  let isFirst = true;
  for await (const frame of stream) {
    if (!isFirst || frame.event.task === undefined) yield frame;
    isFirst = false;
  }
}

async function* noted(stream: A2aStream, notes: LossNotes): AsyncGenerator<StreamFrame> {
  for await (const { event, ...frame } of stream) yield { ...frame, event: notes.frame(event) };
}

async function* watched(
  stream: A2aStream,
  onEnd: (error: string | undefined) => void,
): AsyncGenerator<StreamFrame> {
  let error: string | undefined;
  try {
    yield* stream;
  } catch (thrown) {
    error = messageOf(thrown);
    throw thrown;
  } finally {
    onEnd(error);
  }
}
