// The driver over gRPC, in both versions: the same conversation on another wire.
import { describe, expect, it } from "vitest";
import { HANG_MS } from "../../../../test/support/eventually.ts";
import { serveA2aGrpc } from "../../../../test/support/a2a/grpc-stage.ts";
import { createMemoryService } from "../../../../test/support/a2a/memory-service.ts";
import { openSession } from "../../../../test/support/a2a/open-session.ts";
import { artifactFrame, statusFrame, taskOf } from "../../../../test/support/a2a/task-words.ts";
import type { StreamResponse } from "../model.ts";
import { A2A_VERSIONS, type StreamFrame } from "../service.ts";

async function* frames(...events: object[]): AsyncGenerator<StreamFrame> {
  for (const event of events) yield await Promise.resolve({ event: event as StreamResponse });
}

describe.each(A2A_VERSIONS)("an agent over gRPC, A2A %s", { timeout: HANG_MS }, (version) => {
  it("is driven at its address without a card, with credentials as metadata", async () => {
    const service = createMemoryService();
    service.frames = () =>
      frames(
        { task: taskOf("WORKING") },
        statusFrame("WORKING", "on it"),
        artifactFrame("42", { lastChunk: true }),
        statusFrame("COMPLETED"),
      );
    const stage = await serveA2aGrpc(service);
    const options = { version, auth: { type: "bearer", token: "secret" } };
    const session = openSession({ protocol: "a2a", transport: "grpc", url: stage.url, options });
    expect(await session.end()).toMatchObject({ status: "completed" });
    expect([session.said(), session.files(), session.rules()]).toEqual([
      ["on it"],
      { "answer.txt": "42" },
      [],
    ]);
    expect(service.calls[0]?.headers).toMatchObject({ authorization: "Bearer secret" });
    await stage.close(0);
  });

  it("that refuses says why, and one that nobody serves cannot be reached", async () => {
    const stage = await serveA2aGrpc(createMemoryService());
    const spec = { protocol: "a2a", transport: "grpc", url: stage.url, options: { version } };
    const refused = openSession(spec, { task: { description: "fail:CONTENT_TYPE_NOT_SUPPORTED" } });
    expect(await refused.end()).toMatchObject({
      status: "failed",
      failure: { details: { reason: "CONTENT_TYPE_NOT_SUPPORTED" } },
    });
    await stage.close(0);
    expect(await openSession(spec).end()).toMatchObject({ failure: { code: "UNREACHABLE" } });
  });
});
