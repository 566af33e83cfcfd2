// Streams of frames as the client half reads them: their ids, how they end and how they break.
import { describe, expect, it } from "vitest";
import { serveHttp } from "../../../../test/support/http/servers.ts";
import {
  call,
  clientOf,
  errorOf,
  eventsOf,
  failureCode,
  json,
} from "../../../../test/support/a2a/client-calls.ts";
import { serveA2a } from "../../../../test/support/a2a/scripted-server.ts";
import { agentMessage, statusFrame, TASK, taskOf } from "../../../../test/support/a2a/task-words.ts";
import { isBroken } from "./transport-failure.ts";

describe("a stream over JSON-RPC", () => {
  it("brings its frames with their own ids, and skips comments", async () => {
    const served = await serveA2a(async (asked) => {
      const stream = asked.stream();
      await stream.write(": hello\n\n");
      await stream.frame({ task: taskOf("WORKING") }, "7");
      await stream.frame(statusFrame("WORKING", "one"));
      await stream.frame(statusFrame("COMPLETED"), "8");
      stream.end();
    });
    const ids: (string | undefined)[] = [];
    const stream = await clientOf(served.url).subscribe({ id: TASK }, { ...call, lastEventId: "6" });
    for await (const { id } of stream) ids.push(id);
    expect(ids).toEqual(["7", undefined, "8"]);
    expect(served.asked[0]?.headers["last-event-id"]).toBe("6");
  });

  it("tells a stream that ended from one that was cut, wherever that was", async () => {
    const ended = await serveA2a(async (asked) => {
      const stream = asked.stream();
      await stream.frame({ task: taskOf("WORKING") });
      stream.end();
    });
    expect(await eventsOf(clientOf(ended.url))).toHaveLength(1);
    const cut = await serveA2a(async (asked) => {
      const stream = asked.stream();
      await stream.frame({ task: taskOf("WORKING") });
      asked.response.socket?.end();
    });
    const error = await errorOf(eventsOf(clientOf(cut.url)));
    expect([failureCode(error), isBroken(error)]).toEqual(["CONNECTION_LOST", true]);
  });

  it("takes the last frame of a server that ends without a blank line", async () => {
    const served = await serveA2a(async (asked) => {
      const stream = asked.stream();
      await stream.write(
        `data: ${JSON.stringify({ jsonrpc: "2.0", id: 1, result: { task: taskOf("COMPLETED") } })}`,
      );
      stream.end();
    });
    expect(await eventsOf(clientOf(served.url))).toHaveLength(1);
  });

  it("rejects with the error that came in the place of a stream, or in its middle", async () => {
    const refused = await serveA2a((asked) => asked.error(-32004, "no streams"));
    expect((await errorOf(eventsOf(clientOf(refused.url)))).reason).toBe("UNSUPPORTED_OPERATION");
    const broken = await serveA2a(async (asked) => {
      const stream = asked.stream();
      await stream.frame({ task: taskOf("WORKING") });
      await stream.write(
        `data: ${JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32603, message: "oh" } })}\n\n`,
      );
      stream.end();
    });
    expect(await errorOf(eventsOf(clientOf(broken.url)))).toMatchObject({
      reason: "INTERNAL",
      message: "oh",
    });
    const html = await serveHttp((_request, response) => json(response, "<p>", 200, "text/html"));
    expect(failureCode(await errorOf(eventsOf(clientOf(html.url))))).toBe("WRONG_CONTENT_TYPE");
  });

  it("is one frame where the server answers at once", async () => {
    const served = await serveA2a((asked) => asked.result({ message: agentMessage("hi") }));
    expect(await eventsOf(clientOf(served.url))).toMatchObject([{ message: { parts: [{ text: "hi" }] } }]);
  });

  it("is left when its reader leaves, and cut when it is aborted", async () => {
    const gone: Promise<void>[] = [];
    const served = await serveA2a(async (asked) => {
      const stream = asked.stream();
      gone.push(stream.gone);
      await stream.frame({ task: taskOf("WORKING") });
    });
    for await (const _ of await clientOf(served.url).subscribe({ id: TASK }, call)) break;
    await gone[0];
    const leaving = new AbortController();
    const stream = await clientOf(served.url).subscribe({ id: TASK }, { ...call, signal: leaving.signal });
    const read = (async () => {
      for await (const _ of stream) leaving.abort();
    })();
    expect(failureCode(await errorOf(read))).toBe("CONNECTION_LOST");
    await gone[1];
  });
});
