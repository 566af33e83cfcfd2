// Plays the user of a gateway: sends the input of a declarative test, cancels where it says so, and notes everything that comes back.
import type { JsonObject } from "../../core/json.ts";
import type { ObservedOutput } from "../../core/observation.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { inputParts, inputSession, type StagePart, type StageScript } from "../../core/stage-script.ts";
import { A2aError } from "../../protocols/a2a/errors.ts";
import type { A2aPart, SendRequest, StreamResponse } from "../../protocols/a2a/model.ts";
import type { A2aCall, A2aService } from "../../protocols/a2a/service.ts";
import { isInterruptedState, isTerminalState } from "../../protocols/a2a/states.ts";
import { pause } from "../../runtime/time/pause.ts";

export interface PlayDeps {
  /** The gateway, as a client of it sees it. */
  gateway: A2aService;
  call: A2aCall;
  clock: Clock;
  /** Encodes an event in the form of A2A 0.3. */
  encode: (event: StreamResponse) => JsonObject;
  /** Encodes an error in the form of JSON-RPC. */
  encodeError: (error: A2aError) => JsonObject;
  /** Called with everything that comes back. */
  onOutput: (output: ObservedOutput) => void;
}

export interface Played {
  outputs: ObservedOutput[];
  /** True when the gateway was asked to cancel. */
  cancelSent: boolean;
}

export async function playInput(script: StageScript, deps: PlayDeps): Promise<Played> {
  const played: Played = { outputs: [], cancelSent: false };
  const actions: Promise<void>[] = [];
  let taskId: string | undefined;

  function note(output: ObservedOutput): void {
    played.outputs.push(output);
    deps.onOutput(output);
  }

  /** The actions begin when the gateway has named the task. */
  function see(event: StreamResponse): void {
    const id = event.task?.id ?? event.statusUpdate?.taskId ?? event.artifactUpdate?.taskId;
    if (id === undefined || taskId !== undefined) return;
    taskId = id;
    for (const { delay_seconds: seconds } of script.gateway_actions_after_input)
      actions.push(cancel(id, seconds * 1000));
  }

  async function cancel(id: string, delayMs: number): Promise<void> {
    await pause(deps.clock, delayMs, deps.call.signal);
    played.cancelSent = true;
    try {
      await deps.gateway.cancelTask({ id }, deps.call);
    } catch (error) {
      note({ type: "error", event: errorOf(error, deps) });
    }
  }

  try {
    const request = requestOf(script);
    if (script.gateway_input.is_streaming) {
      for await (const { event } of await deps.gateway.stream(request, deps.call)) {
        see(event);
        const output = outputOf(event, deps);
        if (output) note(output);
      }
    } else {
      const waits = script.gateway_actions_after_input.length === 0;
      const configuration = waits ? {} : { configuration: { returnImmediately: true } };
      const result = await deps.gateway.send({ ...request, ...configuration }, deps.call);
      see(result);
      note({ type: "final_response", event: deps.encode(result) });
    }
  } catch (error) {
    note({ type: "error", event: errorOf(error, deps) });
  }
  await Promise.all(actions);
  return played;
}

function requestOf(script: StageScript): SendRequest {
  const { gateway_input: input, test_case_id: id } = script;
  const { a2a_session_id: _, ...metadata } = input.external_context;
  return {
    message: {
      messageId: `message-${id}`,
      role: "ROLE_USER",
      contextId: inputSession(input, id),
      parts: inputParts(input).map(partOf),
      ...(Object.keys(metadata).length > 0 && { metadata }),
    },
  };
}

function partOf(part: StagePart): A2aPart {
  if (part.type === "text") return { text: part.text };
  const { filename, name = filename, mime_type: mediaType, content_base64: raw, uri: url } = part;
  return {
    ...(raw === undefined ? { url: url ?? "" } : { raw }),
    ...(name !== undefined && { filename: name }),
    ...(mediaType !== undefined && { mediaType }),
  };
}

/** Returns the output of an event; undefined for a task at its beginning, which only says that it exists. */
function outputOf(event: StreamResponse, { encode }: PlayDeps): ObservedOutput | undefined {
  const state = event.task?.status.state ?? event.statusUpdate?.status.state;
  const isOver = state !== undefined && (isTerminalState(state) || isInterruptedState(state));
  if (event.artifactUpdate) return { type: "artifact_update", event: encode(event) };
  if (event.message || isOver) return { type: "final_response", event: encode(event) };
  return event.task ? undefined : { type: "status_update", event: encode(event) };
}

function errorOf(error: unknown, { encodeError }: PlayDeps): JsonObject {
  if (error instanceof A2aError) return encodeError(error);
  throw error;
}
