// A recording in the place of an agent's gRPC server.
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { GrpcClient } from "../../../channels/grpc/client.ts";
import type { JsonObject } from "../../../core/json.ts";
import { parseObject } from "../../../core/parse-object.ts";
import type { AgentDriver } from "../../../core/ports/driver.ts";
import type { RecordedMessage } from "../../../core/recording.ts";
import { createGrpcDriver } from "../grpc/driver.ts";
import { encodeResponseMessage, encodeStreamMessage } from "../grpc/messages.ts";
import { recordedProblem } from "../grpc/note-end.ts";
import { AGENT_SERVICE, type AgentService, type ShallowStreamResponse } from "../grpc/service.ts";
import type { Script } from "../../recorded-script.ts";

export function playGrpc(script: Script): AgentDriver {
  async function* executeStream(): AsyncGenerator<ShallowStreamResponse> {
    for (let message = await script.next(); message !== undefined; message = await script.next()) {
      if (message.channel === "message") yield streamMessage(message);
      else {
        const problem = recordedProblem(message);
        if (problem) throw problem;
        return;
      }
    }
    if (!script.left) script.unfinished = true;
  }

  const client: GrpcClient<AgentService> = {
    distrust() {},
    async connect() {
      const first = await script.peek();
      if (first?.channel !== "close" || first.name !== "unreachable") return;
      await script.next();
      const { text, id = "" } = first;
      throw Object.assign(new Error(text), id === "" ? {} : { code: id });
    },
    service: {
      executeStream,
      async execute() {
        const message = await script.next();
        if (message?.channel === "message") return encodeResponseMessage(documentOf(message));
        if (message === undefined) script.unfinished = true;
        throw (
          (message && recordedProblem(message)) ?? new ConnectError("the recording ends here", Code.Unknown)
        );
      },
      cancel: () => new Promise(() => undefined),
    },
  };
  return createGrpcDriver({ client });
}

function streamMessage(message: RecordedMessage): ShallowStreamResponse {
  const { output } = AGENT_SERVICE.method.executeStream;
  // Bytes that are not a message, as in the recording.
  if (message.encoding === "lossy") {
    return create(output, { message: { case: "event", value: Uint8Array.of(0xff) } });
  }
  const { name } = message;
  if (name !== "event" && name !== "response") return create(output);
  return encodeStreamMessage(name, documentOf(message));
}

function documentOf({ text }: RecordedMessage): JsonObject {
  return parseObject(text) ?? {};
}
