import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../core/json.ts";
import { eventually } from "../../../../test/support/eventually.ts";
import { base64, callOf, framesOf, openGateway, say } from "../../../../test/support/a2a/gateway-stage.ts";
import { serveA2a, type Asked, type AskedStream } from "../../../../test/support/a2a/scripted-server.ts";
import {
  artifactFrame,
  CONTEXT,
  statusFrame,
  TASK,
  taskOf,
} from "../../../../test/support/a2a/task-words.ts";
import type { A2aStream, StreamFrame } from "../service.ts";

function file(raw: string, more: JsonObject = {}, part: JsonObject = {}): JsonObject {
  const parts = [{ raw: base64(raw), filename: "f.bin", ...part }];
  return {
    artifactUpdate: { taskId: TASK, contextId: CONTEXT, artifact: { artifactId: "a", parts }, ...more },
  };
}

const SCOPE = { app: "writer", user: "anonymous", session: "s" };
const call = callOf();

/** A stage whose agent plays each request in turn. */
async function playing(...plays: ((asked: Asked) => void | Promise<void>)[]) {
  const agent = await serveA2a((asked) => plays.shift()?.(asked));
  const stage = await openGateway(agent.url);
  return { agent, ...stage, stream: () => stage.service.stream(say("go", { contextId: "s" }), call) };
}

function streaming(...frames: JsonObject[]): (asked: Asked) => Promise<void> {
  return async (asked) => {
    const stream = asked.stream();
    for (const frame of frames) await stream.frame(frame);
    stream.end();
  };
}

const texts = (frames: readonly JsonObject[]): string[] =>
  frames.map(
    (frame) =>
      JSON.stringify(frame)
        .match(/"text":"([^"]*)"|"url":"([^"]*)"/)
        ?.slice(1)
        .find(Boolean) ?? "-",
  );

describe("messages in the stream of an A2A gateway", () => {
  it("have the client's ids, each that of the task that it names", async () => {
    const about = (taskId: string): JsonObject => ({
      statusUpdate: {
        taskId: TASK,
        contextId: CONTEXT,
        status: {
          state: "TASK_STATE_WORKING",
          message: { messageId: taskId, role: "ROLE_AGENT", parts: [{ text: taskId }], taskId },
        },
      },
    });
    const { stream } = await playing(
      streaming({ task: taskOf("WORKING") }, about(TASK), about("another"), statusFrame("COMPLETED")),
    );
    const [task, own, other] = await framesOf(await stream());
    const named = [own, other].map((frame) => frame?.statusUpdate?.status.message?.taskId);
    expect(named[0]).toBe(task?.task?.id);
    expect(named).not.toContain(TASK);
    expect(named).not.toContain("another");
    expect(named[1]).not.toBe(named[0]);
  });
});

describe("chunks that pass the A2A gateway", () => {
  it("are put together before they are kept: one version, one frame", async () => {
    const { stream, artifacts, textOf } = await playing(
      streaming(
        { task: taskOf("WORKING") },
        file("one ", { lastChunk: false }),
        statusFrame("WORKING", "meanwhile"),
        file("two ", { append: true, lastChunk: false }, { filename: "f.bin" }),
        file("three", { append: true, lastChunk: true }),
        statusFrame("COMPLETED"),
      ),
    );
    const frames = await framesOf(await stream());
    expect(texts(frames)).toEqual(["-", "meanwhile", "artifact://writer/anonymous/s/f.bin?version=1", "-"]);
    expect(frames[2]).toMatchObject({ artifactUpdate: { lastChunk: true } });
    expect(frames[3]).toMatchObject({
      statusUpdate: { metadata: { produced_artifacts: [{ filename: "f.bin", version: 1 }] } },
    });
    const { items } = await artifacts.versions({ ...SCOPE, name: "f.bin" }, {});
    expect(items).toHaveLength(1);
    expect(await textOf(await artifacts.find({ ...SCOPE, name: "f.bin" }, 1))).toBe("one two three");
  });

  it("are put together where 1.0 leaves out that more will come, without any name", async () => {
    const unnamed = (raw: string, more: JsonObject) => file(raw, more, { filename: undefined as never });
    const { stream, artifacts, textOf } = await playing(
      streaming(
        unnamed("a", {}),
        unnamed("b", { append: true }),
        unnamed("c", { append: true, lastChunk: true }),
        statusFrame("COMPLETED"),
      ),
    );
    const frames = await framesOf(await stream());
    expect(texts(frames)).toEqual(["artifact://writer/anonymous/s/artifact?version=1", "-"]);
    expect(await textOf(await artifacts.find({ ...SCOPE, name: "artifact" }, 1))).toBe("abc");
  });

  it("of several files at once do not mix, and two files of one frame stay two", async () => {
    const other = (raw: string, more: JsonObject): JsonObject => ({
      artifactUpdate: {
        taskId: TASK,
        contextId: CONTEXT,
        artifact: { artifactId: "b", parts: [{ raw: base64(raw), filename: "g" }] },
        ...more,
      },
    });
    const two = {
      parts: [
        { raw: base64("x"), filename: "x" },
        { raw: base64("y"), filename: "y" },
      ],
    };
    const { stream, artifacts, textOf } = await playing(
      streaming(
        file("f1", { lastChunk: false }),
        other("g1", { lastChunk: false }),
        file("f2", { append: true, lastChunk: true }),
        other("g2", { append: true, lastChunk: true }),
        { artifactUpdate: { taskId: TASK, contextId: CONTEXT, artifact: { artifactId: "c", ...two } } },
        statusFrame("COMPLETED"),
      ),
    );
    await framesOf(await stream());
    const found = await Promise.all(
      ["f.bin", "g", "x", "y"].map(async (name) =>
        textOf(await artifacts.find({ ...SCOPE, name }, "latest")),
      ),
    );
    expect(found).toEqual(["f1f2", "g1g2", "x", "y"]);
  });

  it("of text pass at once, one by one", async () => {
    const { stream } = await playing(
      streaming(
        artifactFrame("a", { lastChunk: false }),
        artifactFrame("b", { append: true }),
        artifactFrame("c", { append: true, lastChunk: true }),
        statusFrame("COMPLETED"),
      ),
    );
    expect(texts(await framesOf(await stream()))).toEqual(["a", "b", "c", "-"]);
  });

  it("that may be all of a file are let go before whatever comes next, a state or another artifact's text", async () => {
    const { stream } = await playing(
      streaming(
        { task: taskOf("WORKING") },
        file("whole"),
        statusFrame("WORKING", "meanwhile"),
        file("again", { append: false }),
        artifactFrame("other", {}, "b"),
        statusFrame("COMPLETED"),
      ),
    );
    const uri = "artifact://writer/anonymous/s/f.bin?version=";
    expect(texts(await framesOf(await stream()))).toEqual([
      "-",
      `${uri}1`,
      "meanwhile",
      `${uri}2`,
      "other",
      "-",
    ]);
  });

  it("do not go on with a file that a text stands behind", async () => {
    const nameless = (raw: string, more: JsonObject) => file(raw, more, { filename: undefined as never });
    const { stream, artifacts, textOf } = await playing(
      streaming(
        { task: taskOf("WORKING") },
        nameless("ab", {}),
        statusFrame("WORKING", "meanwhile"),
        artifactFrame("a text", { append: true }, "a"),
        nameless("cd", { append: true, lastChunk: true }),
        statusFrame("COMPLETED"),
      ),
    );
    await framesOf(await stream());
    expect(await textOf(await artifacts.find({ ...SCOPE, name: "artifact" }, "latest"))).toBe("cd");
  });

  it("that never end are whole when the task is completed, and nothing when it is canceled", async () => {
    const unfinished = (state: "COMPLETED" | "CANCELED") =>
      streaming(file("half", { lastChunk: false }), statusFrame(state));
    const completed = await playing(unfinished("COMPLETED"));
    expect(texts(await framesOf(await completed.stream()))).toEqual([
      "artifact://writer/anonymous/s/f.bin?version=1",
      "-",
    ]);
    const canceled = await playing(unfinished("CANCELED"));
    expect(texts(await framesOf(await canceled.stream()))).toEqual(["-"]);
    expect((await canceled.artifacts.list(SCOPE, {})).items).toEqual([]);
  });

  it("that come after a silence make a new version of the whole", async () => {
    let agentStream: AskedStream | undefined;
    const agent = await serveA2a(async (asked) => {
      agentStream = asked.stream();
      await agentStream.frame(file("one", {}));
    });
    const { service, artifacts, textOf } = await openGateway(agent.url, { holdMs: 10 });
    const frames = (await service.stream(say("go", { contextId: "s" }), call))[Symbol.asyncIterator]();
    const { value: first } = (await frames.next()) as { value: StreamFrame };
    expect(texts([first.event])).toEqual(["artifact://writer/anonymous/s/f.bin?version=1"]);
    await agentStream?.frame(file(" two", { append: true, lastChunk: true }));
    const { value: second } = (await frames.next()) as { value: StreamFrame };
    expect(texts([second.event])).toEqual(["artifact://writer/anonymous/s/f.bin?version=2"]);
    expect(await textOf(await artifacts.find({ ...SCOPE, name: "f.bin" }, 2))).toBe("one two");
    await frames.return?.();
  });
});

describe("a stream that is cut behind the A2A gateway", () => {
  it("goes on where it was, and nothing is told twice", async () => {
    const told = [
      { artifactId: "a-1", name: "answer.txt", parts: [{ text: "a" }, { text: "b" }, { text: "c" }] },
    ];
    const { stream, agent } = await playing(
      async (asked) => {
        const begun = asked.stream();
        await begun.frame({ task: taskOf("WORKING") });
        await begun.frame(artifactFrame("a", { lastChunk: false }));
        await begun.frame(artifactFrame("b", { append: true }));
        await begun.write('data: {"jsonrpc":"2.0","id":1,"res');
        asked.response.socket?.destroySoon();
      },
      streaming(
        { task: taskOf("WORKING", { artifacts: told }) },
        artifactFrame("d", { append: true, lastChunk: true }),
        statusFrame("COMPLETED"),
      ),
    );
    const frames = await framesOf(await stream());
    expect(texts(frames)).toEqual(["-", "a", "b", "c", "d", "-"]);
    expect(frames[3]).toMatchObject({ artifactUpdate: { append: true } });
    expect(agent.asked.map(({ operation }) => operation)).toEqual(["card", "stream", "subscribe"]);
    expect(agent.asked[2]?.params).toMatchObject({ id: TASK });
  });

  it("ends with the task when that was over meanwhile", async () => {
    const { stream } = await playing(
      async (asked) => {
        const begun = asked.stream();
        await begun.frame({ task: taskOf("WORKING") });
        asked.response.socket?.destroySoon();
      },
      (asked) => asked.error(-32004, "the task is over"),
      (asked) =>
        asked.result(
          taskOf("COMPLETED", {
            artifacts: [{ artifactId: "a", parts: [{ raw: base64("x"), filename: "f" }] }],
          }),
        ),
    );
    const frames = await framesOf(await stream());
    expect(texts(frames)).toEqual(["-", "artifact://writer/anonymous/s/f?version=1", "-"]);
    expect(frames[2]).toMatchObject({ statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } });
  });

  it("is an error in A2A's form when it ends early and nobody goes on", async () => {
    const agent = await serveA2a(async (asked) => {
      if (asked.operation === "getTask") return asked.result(taskOf("WORKING"));
      const begun = asked.stream();
      await begun.frame({ task: taskOf("WORKING") });
      begun.end();
    });
    const { service } = await openGateway(agent.url);
    const frames: JsonObject[] = [];
    const read = async (): Promise<void> => {
      for await (const { event } of await service.stream(say("x"), call)) frames.push(event);
    };
    await expect(read()).rejects.toMatchObject({ reason: "INVALID_AGENT_RESPONSE" });
    expect(frames).toHaveLength(1);
  });

  it("may end while the task waits for its client", async () => {
    const { stream } = await playing(streaming(statusFrame("INPUT_REQUIRED", "who?")));
    expect(texts(await framesOf(await stream()))).toEqual(["who?"]);
  });

  it("is left when the agent itself says what is wrong", async () => {
    const { stream, agent } = await playing(async (asked) => {
      const begun = asked.stream();
      await begun.frame({ task: taskOf("WORKING") });
      await begun.write(`data: {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"out of ink"}}\n\n`);
      begun.end();
    });
    await expect(framesOf(await stream())).rejects.toMatchObject({
      message: expect.stringContaining("out of ink") as string,
    });
    expect(agent.asked).toHaveLength(2);
  });
});

describe("a client of the A2A gateway that comes back", () => {
  async function readSome(stream: A2aStream, count: number): Promise<StreamFrame[]> {
    const frames: StreamFrame[] = [];
    for await (const frame of stream) {
      frames.push(frame);
      if (frames.length === count) break;
    }
    return frames;
  }

  it("gets what it has missed by the id of its last frame, and the rest live", async () => {
    let agentStream: AskedStream | undefined;
    const agent = await serveA2a(async (asked) => {
      agentStream = asked.stream();
      for (const text of ["a", "b", "c"])
        await agentStream.frame(artifactFrame(text, { append: text !== "a" }));
    });
    const { service } = await openGateway(agent.url, { identityHeader: "x-user" });
    const seen = await readSome(await service.stream(say("x"), call), 2);
    const taskId = seen[0]?.event.artifactUpdate?.taskId ?? "";
    const lastEventId = seen[1]?.id ?? "";
    const again = (await service.subscribe({ id: taskId }, callOf({ lastEventId })))[Symbol.asyncIterator]();
    const { value: third } = (await again.next()) as { value: StreamFrame };
    expect(texts([third.event])).toEqual(["c"]);
    await agentStream?.frame(statusFrame("COMPLETED"));
    agentStream?.end();
    const { value: last } = (await again.next()) as { value: StreamFrame };
    expect(last.event).toMatchObject({ statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } });
    expect((await again.next()).done).toBe(true);
    // The whole stream can be read again for a while, by its user alone.
    const all = await framesOf(await service.stream(say("x"), callOf({ lastEventId: seen[0]?.id ?? "" })));
    expect(texts(all)).toEqual(["b", "c", "-"]);
    expect(agent.asked.filter(({ operation }) => operation === "stream")).toHaveLength(1);
    const bob = callOf({ lastEventId, headers: { "x-user": "bob" } });
    await expect(service.subscribe({ id: taskId }, bob)).rejects.toMatchObject({ reason: "TASK_NOT_FOUND" });
  });

  it("gets the task as it is when too much has passed meanwhile", async () => {
    const many = Array.from({ length: 400 }, (_, index) => statusFrame("WORKING", `${index}`));
    const agent = await serveA2a(async (asked) => {
      if (asked.operation === "getTask") return asked.result(taskOf("COMPLETED", {}, "as it is"));
      await streaming(...many, statusFrame("COMPLETED", "end"))(asked);
    });
    const { service } = await openGateway(agent.url);
    const [first] = await readSome(await service.stream(say("x"), call), 1);
    const id = first?.event.statusUpdate?.taskId ?? "";
    // What is left of the stream is read into the gateway's memory; until then the place may still be known.
    await eventually(async () => {
      const stream = await service.subscribe({ id }, callOf({ lastEventId: first?.id ?? "" }));
      const [next] = await readSome(stream, 1);
      expect(next?.event).toMatchObject({
        task: { id, status: { message: { parts: [{ text: "as it is" }] } } },
      });
    });
  });

  it("is not waited for without end: the agent is left", async () => {
    let left = false;
    const agent = await serveA2a(async (asked) => {
      const begun = asked.stream();
      void begun.gone.then(() => (left = true));
      await begun.frame({ task: taskOf("WORKING") });
    });
    const { service } = await openGateway(agent.url, { lingerMs: 10 });
    await readSome(await service.stream(say("x"), call), 1);
    await eventually(() => expect(left).toBe(true));
  });

  it("holds the agent back while it does not read", async () => {
    let written = 0;
    const agent = await serveA2a(async (asked) => {
      const begun = asked.stream();
      for (; !asked.response.destroyed && written < 4000; written++) {
        await begun.frame(artifactFrame("x".repeat(10_000), { append: written > 0 }));
      }
      await begun.frame(statusFrame("COMPLETED"));
      begun.end();
    });
    const { service } = await openGateway(agent.url);
    const frames = (await service.stream(say("x"), call))[Symbol.asyncIterator]();
    await frames.next();
    let before = -1;
    // The buffers of both sockets fill, and then nothing moves any more.
    await eventually(() => {
      const now = written;
      const isStill = now === before;
      before = now;
      expect(isStill && now > 0).toBe(true);
    });
    expect(written).toBeLessThan(4000);
    let count = 1;
    for (let next = await frames.next(); next.done !== true; next = await frames.next()) count++;
    expect(count).toBe(4001);
  });
});
