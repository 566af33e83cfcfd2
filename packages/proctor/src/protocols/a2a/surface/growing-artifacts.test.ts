// Artifacts that an agent writes piece by piece, as clients of the hub see them meanwhile.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HANG_MS } from "../../../../test/support/eventually.ts";
import {
  openHubStage,
  readFrames,
  userMessage,
  type Frame,
  type HubStage,
} from "../../../../test/support/a2a/hub-stage.ts";
import { fileSentAs, type SentAs } from "../sent-as.ts";
import type { ScriptedSession } from "../../../../test/support/scripted-driver.ts";

let stage: HubStage;
beforeEach(async () => {
  stage = await openHubStage();
});
afterEach(async () => {
  expect(stage.reported).toEqual([]);
  await stage.close();
});

interface Chunk {
  text: string | Buffer;
  append?: boolean;
  last?: boolean;
  id?: string;
  type?: string;
  sent?: SentAs;
}

function write(session: ScriptedSession, ...chunks: Chunk[]): void {
  for (const { text, append = true, last = false, id = "a", type = "text/markdown", sent } of chunks) {
    const content = Buffer.from(text);
    session.push({
      kind: "chunk",
      artifactId: id,
      name: `${id}.md`,
      content,
      content_type: type,
      append,
      last,
      ...(sent && { extensions: fileSentAs(sent) }),
    });
  }
}

/** Puts artifacts together as the specification says: `append` adds parts, otherwise they are replaced. */
function assembled(frames: readonly Frame[]): Record<string, { text: string; isWhole: boolean }> {
  const artifacts: Record<string, { text: string; isWhole: boolean }> = {};
  for (const { data } of frames) {
    const { task, artifactUpdate: update } = data.result;
    for (const { artifactId, parts } of task?.artifacts ?? [])
      artifacts[artifactId] = { text: parts[0].text, isWhole: false };
    if (update === undefined) continue;
    const { artifactId, parts } = update.artifact;
    const before = update.append ? (artifacts[artifactId]?.text ?? "") : "";
    artifacts[artifactId] = {
      text: before + (parts[0].text ?? `raw:${parts[0].raw}`),
      isWhole: update.lastChunk,
    };
  }
  return artifacts;
}

const updatesIn = (frames: readonly Frame[]) =>
  frames.flatMap(({ data }) => (data.result.artifactUpdate ? [data.result.artifactUpdate] : []));

describe("an artifact that grows", { timeout: HANG_MS }, () => {
  it("is streamed while its agent still writes, and is then the artifact of the task", async () => {
    const stream = stage.stream("SendStreamingMessage", { message: userMessage("write") });
    const frames: Frame[] = [];
    for await (const frame of stream) {
      frames.push(frame);
      const session = await stage.driver.session(0);
      // Only what the client has seen makes the agent go on: nothing is whole before.
      const seen = updatesIn(frames).length;
      if (frames.length === 1) write(session, { text: "# A day " });
      else if (seen === 1 && frame.data.result.artifactUpdate) write(session, { text: "in " });
      else if (seen === 2 && frame.data.result.artifactUpdate) {
        write(session, { text: "Oslo\n", last: true });
        session.end();
      }
    }
    const updates = updatesIn(frames);
    expect(updates.map(({ append, lastChunk, artifact }) => [append, lastChunk, artifact.parts])).toEqual([
      [false, false, [{ text: "# A day ", filename: "a.md", mediaType: "text/markdown" }]],
      [true, false, [{ text: "in ", filename: "a.md", mediaType: "text/markdown" }]],
      [true, false, [{ text: "Oslo\n", filename: "a.md", mediaType: "text/markdown" }]],
      [true, true, [{ text: "", filename: "a.md", mediaType: "text/markdown" }]],
    ]);
    const { id } = frames[0]!.data.result.task;
    const { result } = await stage.rpc("GetTask", { id });
    expect(result.artifacts).toMatchObject([
      { artifactId: updates[0].artifact.artifactId, parts: [{ text: "# A day in Oslo\n" }] },
    ]);
  });

  it("is put together by a client that comes late, and by one that comes back anywhere", async () => {
    const { result } = await stage.rpc("SendMessage", {
      message: userMessage("write"),
      configuration: { returnImmediately: true },
    });
    const { id } = result.task;
    const session = await stage.driver.session(0);
    write(
      session,
      { text: "wrong" },
      { text: "one ", append: false },
      { text: "two " },
      { text: "b", id: "b" },
    );
    await stage.until(
      id,
      ({ type, payload }) => type === "artifact.extended" && JSON.stringify(payload).includes('"b"'),
    );
    expect((await stage.rpc("GetTask", { id })).result.artifacts).toMatchObject([
      { name: "a.md", parts: [{ text: "one two " }] },
      { name: "b.md", parts: [{ text: "b" }] },
    ]);
    const late = stage.stream("SubscribeToTask", { id }).all();
    const early = stage.stream("SubscribeToTask", { id }, { "last-event-id": `${id}:0` }).all();
    write(session, { text: "three", last: true }, { text: "c", id: "b", last: true });
    session.end();
    const [joined, whole] = await Promise.all([late, early]);
    const texts = (frames: readonly Frame[]) => Object.values(assembled(frames)).map(({ text }) => text);
    expect(texts(joined)).toEqual(["one two three", "bc"]);
    expect(texts(whole)).toEqual(["one two three", "bc"]);
    expect(Object.values(assembled(whole)).every(({ isWhole }) => isWhole)).toBe(true);
    for (const index of whole.keys()) {
      const headers = { "a2a-version": "1.0", "last-event-id": whole[index]!.id };
      const url = `${stage.url}/tasks/${id}:subscribe`;
      const rest = index === whole.length - 1 ? [] : await readFrames(url, { method: "POST", headers }).all();
      expect(rest.map((frame) => frame.data)).toEqual(whole.slice(index + 1).map(({ data }) => data.result));
    }
  });

  it("comes whole where it is no text, or turns out to be none", async () => {
    const frames = stage.stream("SendStreamingMessage", { message: userMessage("write") }).all();
    const session = await stage.driver.session(0);
    write(session, { text: "abc", type: "image/png" }, { text: "d", type: "image/png", last: true });
    write(session, { text: "ok", id: "b" }, { text: Buffer.from([0xff]), id: "b", last: true });
    session.end();
    const updates = updatesIn(await frames).map(({ append, lastChunk, artifact }) => [
      append,
      lastChunk,
      artifact.parts[0].text ?? Buffer.from(artifact.parts[0].raw, "base64").toString("latin1"),
    ]);
    expect(updates).toEqual([
      [false, true, "abcd"],
      [false, false, "ok"],
      [false, true, "ok\xff"],
    ]);
  });

  it("stays what an agent that speaks A2A sent: text without a name, bytes of a text as bytes", async () => {
    const frames = stage.stream("SendStreamingMessage", { message: userMessage("write") }).all();
    const session = await stage.driver.session(0);
    const bytes = { id: "b", sent: "raw" as const };
    write(session, { text: "one ", sent: "text" }, { text: "two", sent: "text", last: true });
    write(session, { ...bytes, text: "three " }, { ...bytes, text: "four", last: true });
    session.end();
    const mediaType = "text/markdown";
    expect(updatesIn(await frames).map(({ artifact }) => artifact.parts)).toEqual([
      [{ text: "one ", mediaType }],
      [{ text: "two", mediaType }],
      [{ text: "", mediaType }],
      [{ raw: Buffer.from("three four").toString("base64"), filename: "b.md", mediaType }],
    ]);
  });

  it("shows no secret, though the agent cuts it in two, and what is left open when the run ends", async () => {
    const secret = "s3cret-value";
    const { run } = await stage.hub.submit({
      agent: "worker",
      task: { description: "write" },
      context: { environment: { KEY: secret } },
    });
    const seen: Frame[] = [];
    for await (const frame of stage.stream("SubscribeToTask", { id: run.id })) {
      // Who comes when the task has ended is refused, and who comes late is not told the pieces.
      if (seen.push(frame) > 1) continue;
      const session = await stage.driver.session(0);
      write(session, { text: "the key is s3cret-" }, { text: "value, and no" });
      session.end();
    }
    expect(JSON.stringify(seen)).not.toContain("s3cret");
    expect(JSON.stringify(await stage.hub.events(run.id, { limit: 1000 }))).not.toContain("s3cret");
    expect(Object.values(assembled(seen))).toEqual([
      { text: "the key is [redacted:KEY], and no", isWhole: true },
    ]);
    expect(updatesIn(seen).at(-1)).toMatchObject({ append: true, lastChunk: true });
  });

  it("is told to push notifications when it is whole", async () => {
    const { result } = await stage.rpc("SendMessage", {
      message: userMessage("write"),
      configuration: { returnImmediately: true },
    });
    const session = await stage.driver.session(0);
    write(session, { text: "one " }, { text: "two", last: true });
    session.end();
    await stage.ended(result.task.id);
    const { createTaskFold } = await import("./task-fold.ts");
    const fold = createTaskFold(result.task.id, { pieces: false });
    const changes = (await stage.hub.events(result.task.id, {})).flatMap((event) => fold.add(event) ?? []);
    expect(changes.filter(({ kind }) => kind !== "status")).toMatchObject([
      { kind: "artifact", isShown: false },
    ]);
  });
});
