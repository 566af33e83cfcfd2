// What a task produces, as artifacts of the run: whole, growing, of several kinds, and however it is cut.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HANG_MS } from "../../../../test/support/eventually.ts";
import { propertyRuns } from "../../../../test/support/property-runs.ts";
import { filesOf, openSession } from "../../../../test/support/a2a/open-session.ts";
import { serveA2a } from "../../../../test/support/a2a/scripted-server.ts";
import { CONTEXT, statusFrame, TASK, taskOf } from "../../../../test/support/a2a/task-words.ts";
import { openTestHub } from "../../../../test/support/test-hub.ts";
import { answerOf } from "../../../core/answer.ts";
import type { AgentReport } from "../../../core/ports/driver.ts";
import type { A2aPart, ArtifactUpdate } from "../model.ts";
import { createAnswerText } from "./answer-text.ts";
import { createContent, digestOf } from "./artifact-content.ts";
import { createArtifacts, type Artifacts } from "./artifacts.ts";
import { createHeard } from "./heard.ts";

function intake(): Artifacts {
  return createArtifacts({ heard: createHeard(), answer: createAnswerText() });
}

function update(parts: A2aPart[], more: Partial<ArtifactUpdate> = {}): ArtifactUpdate {
  return { taskId: TASK, contextId: CONTEXT, artifact: { artifactId: "a", name: "out", parts }, ...more };
}

describe("an artifact of A2A", () => {
  it("that comes whole is what its parts are: files, data and references that nobody fetches", () => {
    const raw = Buffer.from([1, 2, 3]).toString("base64");
    const reports = intake().update(
      update(
        [
          { text: "a", filename: "notes.md", mediaType: "text/markdown" },
          { raw, filename: "../../etc/x.bin", mediaType: "image/png" },
          { raw },
          { raw },
          { data: { n: 1 } },
          { data: [2] },
          { url: "https://files.example/big.zip", filename: "big.zip", mediaType: "application/zip" },
        ],
        { lastChunk: true },
      ),
    );
    const artifacts = reports.map((report) => (report.kind === "artifact" ? report.artifact : undefined));
    expect(artifacts).toMatchObject([
      {
        type: "file",
        path: "notes.md",
        content_type: "text/markdown",
        extensions: { a2a: { part: "text" } },
      },
      // A name, and never a place.
      {
        type: "file",
        path: "x.bin",
        content_type: "image/png",
        content: Buffer.from([1, 2, 3]),
        extensions: { a2a: { part: "raw" } },
      },
      { type: "file", path: "out" },
      { type: "file", path: "out-2" },
      { type: "structured", name: "out", data: { n: 1 } },
      { type: "structured", name: "out-2", data: [2] },
      {
        type: "reference",
        path: "https://files.example/big.zip",
        elsewhere: true,
        content_type: "application/zip",
      },
    ]);
  });

  it("that grows is reported piece by piece, and begins anew where it is replaced", () => {
    const artifacts = intake();
    const reports = [
      ...artifacts.update(update([{ text: "one " }])),
      ...artifacts.update(update([{ text: "two" }], { append: true })),
      ...artifacts.update(update([{ text: "three" }])),
      ...artifacts.update(update([{ text: "!" }], { append: true, lastChunk: true })),
    ];
    expect(reports.map((report) => (report.kind === "chunk" ? [report.append, report.last] : []))).toEqual([
      [false, false],
      [true, false],
      [false, false],
      [true, false],
      [true, true],
    ]);
    expect(filesOf(reports)).toEqual({ out: "three!" });
  });

  it("that opens with append, as some agents do, is taken", () => {
    const artifacts = intake();
    const reports = [
      ...artifacts.update(update([{ text: "a" }], { append: true })),
      ...artifacts.update(update([{ text: "b" }], { append: true, lastChunk: true })),
    ];
    expect(filesOf(reports)).toEqual({ out: "ab" });
  });

  const texts = fc.array(fc.string({ unit: "grapheme", maxLength: 6 }), { maxLength: 8 });

  it("is the same however its text is cut, and a snapshot brings only what had not come", () => {
    fc.assert(
      fc.property(texts, fc.nat(8), fc.boolean(), (pieces, count, isJoined) => {
        const artifacts = intake();
        const reports: AgentReport[] = [];
        for (const [index, text] of pieces.slice(0, count).entries()) {
          reports.push(...artifacts.update(update([{ text }], index === 0 ? {} : { append: true })));
        }
        const parts = isJoined ? [{ text: pieces.join("") }] : pieces.map((text) => ({ text }));
        const before = reports.length;
        reports.push(...artifacts.snapshot({ artifactId: "a", name: "out", parts }, true));
        const added = reports
          .slice(before)
          .flatMap((report) => (report.kind === "chunk" && !report.append ? [report] : []));
        expect(filesOf(reports)["out"] ?? "").toBe(pieces.join(""));
        if (count > 0 && pieces.length > 0) expect(added).toEqual([]);
        expect(artifacts.snapshot({ artifactId: "a", name: "out", parts }, true)).toEqual([]);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it("has a digest that tells contents apart and not pieces", () => {
    expect(digestOf([{ text: "ab" }, { text: "c" }])).toBe(
      digestOf([{ text: "a" }, { text: "" }, { text: "bc" }]),
    );
    expect(digestOf([{ text: "ab" }])).not.toBe(digestOf([{ text: "ab", filename: "x" }]));
    const raw = Buffer.from("ab").toString("base64");
    expect(digestOf([{ raw }])).not.toBe(digestOf([{ text: "ab" }]));
    const content = createContent();
    content.add([{ raw }]);
    expect(content.restOf([{ raw: Buffer.from("abc").toString("base64") }])).toEqual([
      { raw: Buffer.from("c").toString("base64") },
    ]);
    expect(content.restOf([{ raw: Buffer.from("xbc").toString("base64") }])).toBeUndefined();
    expect(content.restOf([{ raw: Buffer.from("a").toString("base64") }])).toBeUndefined();
  });
});

describe("a run on an agent over A2A", { timeout: HANG_MS }, () => {
  it("keeps files, data and references, answers with the first text, and complains about nothing", async () => {
    const served = await serveA2a(async (asked) => {
      const stream = asked.stream();
      await stream.frame({ task: taskOf("SUBMITTED") });
      for (const event of [
        update([{ text: "The answer " }]),
        update([{ text: "is 42." }], { append: true, lastChunk: true }),
        {
          ...update([{ data: { n: 42 } }], { lastChunk: true }),
          artifact: { artifactId: "d", name: "numbers", parts: [{ data: { n: 42 } }] },
        },
        {
          ...update([], { lastChunk: true }),
          artifact: { artifactId: "u", parts: [{ url: "https://files.example/x" }] },
        },
      ]) {
        await stream.frame({ artifactUpdate: event });
      }
      await stream.frame(statusFrame("COMPLETED", "there you are"));
      stream.end();
    });
    const hub = await openTestHub();
    const { run } = await hub.hub.submit({
      agent: `a2a+${served.url}`,
      task: { description: "x" },
      options: { workspace: {} },
    });
    const ended = await hub.ended(run.id);
    expect(ended.status).toBe("completed");
    expect(answerOf(ended)).toBe("The answer is 42.");
    expect(ended.artifacts).toMatchObject([
      { type: "file", path: "out", size_bytes: 17 },
      { type: "structured", name: "numbers", data: { n: 42 } },
      { type: "reference", path: "https://files.example/x" },
      { type: "structured", name: "result" },
    ]);
    expect((await hub.log(run.id)).filter(({ type }) => type === "violation")).toEqual([]);
    await hub.close();
  });

  it("answers with the last thing said where there is no artifact, and with data where that is all there is", async () => {
    const answers = async (...frames: Parameters<typeof JSON.stringify>[0][]) => {
      const served = await serveA2a(async (asked) => {
        const stream = asked.stream();
        for (const frame of frames) await stream.frame(frame as never);
        stream.end();
      });
      const session = openSession({ protocol: "a2a", transport: "http", url: served.url });
      await session.done;
      return session
        .all("artifact")
        .map(({ artifact }) => (artifact.type === "structured" ? [artifact.name, artifact.data] : []));
    };
    const begin = { task: taskOf("WORKING", {}, "hm") };
    expect(await answers(begin, statusFrame("COMPLETED", "42"))).toEqual([["result", { output: "42" }]]);
    const data = { artifactUpdate: update([{ data: { n: 42 } }], { lastChunk: true }) };
    expect(await answers(begin, data, statusFrame("COMPLETED", "there"))).toEqual([["out", { n: 42 }]]);
  });
});
