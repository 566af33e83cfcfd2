// Promises of the Hub port about tasks: runs that wait for their start, runs that clients carry out step by step, files that clients give
// to runs, removal, and pages by number. For any implementation, like hub.case.ts.
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { shellFixture } from "../../../test/support/test-hub.ts";
import { ProctorError, type ErrorCode } from "../errors.ts";
import type { RunEvent } from "../event.ts";
import { uuidV7 } from "../id.ts";
import { CLIENT_AGENT, type Run, type RunStatus } from "../run.ts";
import type { ClientDraft, Hub, NewFile } from "./hub.ts";
import { HANG_MS } from "../../../test/support/eventually.ts";

const task = { description: "do it" };
const NOBODY = "01890000-0000-7000-8000-000000000000";
const MAX_BYTES = 1000;

export function taskHubCases(open: () => Promise<{ hub: Hub; close(): Promise<void> }>): void {
  let opened: { hub: Hub; close(): Promise<void> };
  let hub: Hub;

  beforeEach(async () => {
    opened = await open();
    ({ hub } = opened);
  });
  afterEach(() => opened.close());

  const begin = async (): Promise<Run> => (await hub.openClientRun({ task })).run;
  const tell = (id: string, ...drafts: ClientDraft[]) => hub.tell(id, () => drafts);
  const types = async (id: string) => (await hub.events(id, { limit: 1000 })).map(({ type }) => type);

  async function collect(id: string, after = -1): Promise<RunEvent[]> {
    const events: RunEvent[] = [];
    const signal = AbortSignal.timeout(HANG_MS);
    for await (const event of hub.follow(id, after, signal)) events.push(event);
    expect(signal.aborted, "it did not end by itself").toBe(false);
    return events;
  }

  async function text(runId: string, artifactId: string): Promise<string> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await hub.readArtifact(runId, artifactId)) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }

  describe("prepare and start", () => {
    it("keeps a run until it is started, and starts it once", async () => {
      const { run, created } = await hub.prepare({ agent: shellFixture("ok"), task });
      expect({ created, status: run.status }).toEqual({ created: true, status: "created" });
      expect(await types(run.id)).toEqual(["run.created"]);
      const artifact = await hub.addFile(run.id, file("before"));
      const started = await Promise.all([hub.start(run.id), hub.start(run.id), hub.start(run.id)]);
      for (const { status } of started) expect(status).not.toBe("created");
      const log = await collect(run.id);
      expect(log.filter(({ type }) => type === "run.queued")).toHaveLength(1);
      expect(log.at(-1)).toMatchObject({ type: "run.ended", payload: { status: "completed" } });
      expect((await hub.start(run.id)).status).toBe("completed");
      expect((await hub.run(run.id)).artifacts[0]).toEqual(artifact);
      await refused(hub.start(NOBODY), "RUN_NOT_FOUND");
    });

    it("is idempotent, and refuses the same key for another kind of run", async () => {
      const request = { agent: shellFixture("ok"), task };
      const options = { idempotencyKey: "k" };
      const first = await hub.prepare(request, options);
      const again = await hub.prepare(request, options);
      expect(again).toMatchObject({ created: false, run: { id: first.run.id } });
      await refused(hub.submit(request, options), "IDEMPOTENCY_CONFLICT");
      await refused(hub.openClientRun({ task }, options), "IDEMPOTENCY_CONFLICT");
    });

    it("lets a prepared run be cancelled without ever having run", async () => {
      const { run } = await hub.prepare({ agent: shellFixture("ok"), task });
      expect(await hub.cancel(run.id)).toMatchObject({ status: "cancelled", started_at: null });
      expect((await hub.start(run.id)).status).toBe("cancelled");
    });
  });

  describe("a client's run", () => {
    it("is running at once and ends with its last step", async () => {
      const run = await begin();
      expect(run).toMatchObject({ agent: CLIENT_AGENT, status: "running", ended_at: null });
      const added = step();
      const { step_id: id } = added.payload;
      expect((await tell(run.id, added)).steps).toMatchObject([
        { id, index: 0, owner: "client", name: "look", status: "created", output: null, started_at: null },
      ]);
      const running = await tell(run.id, change(id, { status: "running" }));
      expect(running.steps[0]).toMatchObject({ status: "running", completed_at: null });
      expect(running.steps[0]?.started_at).not.toBeNull();
      const output = { answer: 42 };
      const ended = await tell(run.id, change(id, { status: "completed", output, is_last: true }));
      expect(ended.run).toMatchObject({ status: "completed", failure: null });
      expect(ended.steps[0]).toMatchObject({ status: "completed", output, is_last: true });
      expect(await hub.steps(run.id)).toEqual(ended);
      expect(await hub.run(run.id)).toEqual(ended.run);
      expect(await types(run.id)).toEqual([
        "run.created",
        "run.started",
        "step.added",
        "step.changed",
        "step.changed",
        "run.ended",
      ]);
      await refused(tell(run.id, step()), "ILLEGAL_TRANSITION");
      await refused(hub.cancel(run.id), "ILLEGAL_TRANSITION");
      // A client that lost the answer may report the same again.
      expect(await tell(run.id, change(id, { status: "completed", output, is_last: true }))).toEqual(ended);
    });

    it("fails with its last step", async () => {
      const { id } = await begin();
      const added = step();
      const told = await tell(id, added, change(added.payload.step_id, { status: "failed", is_last: true }));
      expect(told.run).toMatchObject({ status: "failed", failure: { code: "STEP_FAILED" } });
    });

    it("writes all events of a request, or none", async () => {
      const { id } = await begin();
      await refused(tell(id, step(), change(uuidV7(), { status: "running" })), "STEP_NOT_FOUND");
      const added = step();
      const { step_id: stepId } = added.payload;
      await refused(
        tell(id, added, change(stepId, { status: "completed" }), change(stepId, { status: "running" })),
        "ILLEGAL_TRANSITION",
      );
      await refused(tell(id, added, added), "ILLEGAL_TRANSITION");
      expect(await hub.steps(id)).toMatchObject({ steps: [], sequence: 1 });
    });

    it("gives the current state to the caller, and again when another writer was faster", async () => {
      const { id } = await begin();
      const counts = await Promise.all(
        Array.from({ length: 8 }, async (_, index) => {
          const { steps } = await hub.tell(id, (state) => [step(`${state.steps.length}`)]);
          return { index, seen: steps.length };
        }),
      );
      expect(counts.map(({ seen }) => seen).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      const { steps } = await hub.steps(id);
      expect(steps.map(({ name }) => name)).toEqual(["0", "1", "2", "3", "4", "5", "6", "7"]);
      expect(steps.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    });

    it("begins no step while it is paused, but lets a running one finish", async () => {
      const { id } = await begin();
      const [running, waiting] = [step(), step()];
      await tell(id, running, waiting, change(running.payload.step_id, { status: "running" }));
      expect((await hub.pause(id)).status).toBe("paused");
      await refused(tell(id, step()), "ILLEGAL_TRANSITION", /paused/);
      await refused(tell(id, change(waiting.payload.step_id, { status: "running" })), "ILLEGAL_TRANSITION");
      await tell(id, change(running.payload.step_id, { status: "completed" }));
      expect((await hub.resume(id)).status).toBe("running");
      await tell(id, change(waiting.payload.step_id, { status: "running" }));
      await refused(hub.resume(id), "ILLEGAL_TRANSITION");
    });

    it("is cancelled at once, together with its running steps, and only once", async () => {
      const { id } = await begin();
      const [running, waiting] = [step(), step()];
      await tell(id, running, waiting, change(running.payload.step_id, { status: "running" }));
      const cancelled = await hub.cancel(id, "enough");
      expect(cancelled).toMatchObject({
        status: "cancelled",
        failure: { code: "CANCELLED", message: "enough" },
      });
      expect((await hub.steps(id)).steps).toMatchObject([
        { status: "failed", additional_output: { error: "enough" } },
        { status: "created" },
      ]);
      expect((await types(id)).slice(-2)).toEqual(["step.changed", "run.ended"]);
      expect(await hub.cancel(id)).toEqual(cancelled);
    });

    it("is idempotent by its key", async () => {
      const options = { idempotencyKey: "k" };
      const first = await hub.openClientRun({ task, metadata: { a: 1 } }, options);
      const again = await hub.openClientRun({ metadata: { a: 1 }, task }, options);
      expect(again).toEqual({ run: first.run, created: false });
      await refused(hub.openClientRun({ task }, options), "IDEMPOTENCY_CONFLICT");
    });

    it("takes nothing that only an agent could use, and nothing malformed", async () => {
      const environment = { KEY: "secret-value" };
      await refused(hub.openClientRun({ task, context: { environment } }), "INVALID_REQUEST", /environment/);
      await refused(hub.openClientRun({ task: { description: "" } }), "INVALID_REQUEST");
      const { id } = await begin();
      const odd = { ...step(), payload: { ...step().payload, step_id: "mine" } };
      await refused(tell(id, odd), "INVALID_REQUEST");
      await refused(tell(NOBODY, step()), "RUN_NOT_FOUND");
      await refused(hub.steps(NOBODY), "RUN_NOT_FOUND");
    });
  });

  describe("an agent's run", () => {
    it("has steps that nobody else may change, and a result that is the last", async () => {
      const { run } = await hub.submit({ agent: shellFixture("ok"), task });
      await collect(run.id);
      const { steps, sequence, run: after } = await hub.steps(run.id);
      expect(after).toEqual(await hub.run(run.id));
      expect(sequence).toBe((await hub.events(run.id, { limit: 1000 })).length - 1);
      for (const { owner } of steps) expect(owner).toBe("executor");
      expect(steps.at(-1)).toMatchObject({
        name: "Result",
        status: "completed",
        is_last: true,
        additional_output: { status: "completed", artifacts: ["result"] },
        artifact_ids: after.artifacts.map(({ id }) => id),
      });
      await refused(tell(run.id, step()), "INVALID_REQUEST", /agent/);
    });
  });

  describe("files of clients", () => {
    it("are kept with their bytes, even after the end, and seen by readers that follow from there", async () => {
      const { id } = await begin();
      const added = step();
      const stepId = added.payload.step_id;
      await tell(id, added, change(stepId, { status: "completed", is_last: true }));
      const end = (await hub.events(id, { limit: 100 })).at(-1)?.sequence ?? -1;
      const storedAs = `${id}_${stepId}_1_report.txt`;
      const artifact = await hub.addFile(id, file("späte Zeilen", { stepId, storedAs }));
      expect(artifact).toMatchObject({
        type: "file",
        path: "out/report.txt",
        file_name: "report.txt",
        content_type: "text/plain",
        size_bytes: 13,
        content_hash: `sha256:${createHash("sha256").update("späte Zeilen").digest("hex")}`,
        agent_created: false,
        step_id: stepId,
        stored_as: storedAs,
      });
      expect(await text(id, artifact.id)).toBe("späte Zeilen");
      expect(await hub.artifact(id, artifact.id)).toEqual(artifact);
      const { run, steps } = await hub.steps(id);
      expect(run).toMatchObject({ status: "completed", artifacts: [artifact] });
      expect(steps[0]?.artifact_ids).toEqual([artifact.id]);
      expect((await collect(id)).at(-1)?.type).toBe("run.ended");
      expect((await collect(id, end)).map(({ type }) => type)).toEqual(["artifact.added"]);
      expect(await collect(id, end + 1)).toEqual([]);
      await refused(hub.addFile(id, file("x", { storedAs })), "NAME_TAKEN");
    });

    it("are removed with their bytes, unless another file has the same", async () => {
      const [first, second] = [await begin(), await begin()];
      const a = await hub.addFile(first.id, file("same"));
      const b = await hub.addFile(second.id, file("same"));
      await hub.removeArtifact(first.id, a.id);
      await refused(hub.artifact(first.id, a.id), "ARTIFACT_NOT_FOUND");
      await refused(hub.removeArtifact(first.id, a.id), "ARTIFACT_NOT_FOUND");
      await refused(hub.removeArtifact(NOBODY, a.id), "RUN_NOT_FOUND");
      expect((await hub.run(first.id)).artifacts).toEqual([]);
      expect(await text(second.id, b.id)).toBe("same");
      expect((await types(first.id)).slice(-2)).toEqual(["artifact.added", "artifact.removed"]);
    });

    it("are kept whole or not at all", async () => {
      const { id } = await begin();
      await hub.addFile(id, file("x".repeat(MAX_BYTES)));
      await refused(hub.addFile(id, file("x".repeat(MAX_BYTES + 1))), "PAYLOAD_TOO_LARGE");
      const cut = new ProctorError("INVALID_REQUEST", "the client hung up");
      await refused(hub.addFile(id, { ...file(""), content: breaks(cut) }), "INVALID_REQUEST", /hung up/);
      await refused(hub.addFile(NOBODY, file("x")), "RUN_NOT_FOUND");
      await refused(hub.addFile(id, file("x", { stepId: NOBODY })), "STEP_NOT_FOUND");
      await refused(hub.addFile(id, file("x", { fileName: "../x" })), "INVALID_REQUEST");
      await refused(hub.addFile(id, file("x", { relativePath: "../x" })), "INVALID_REQUEST");
      await refused(hub.addFile(id, file("x", { storedAs: `${NOBODY}_x` })), "INVALID_REQUEST");
      const empty = await hub.addFile(id, file(""));
      expect(empty.size_bytes).toBe(0);
      expect((await hub.run(id)).artifacts.map(({ size_bytes }) => size_bytes)).toEqual([MAX_BYTES, 0]);
    });
  });

  describe("removal", () => {
    it("leaves nothing of a run, whatever it was doing", async () => {
      const { id } = await begin();
      const artifact = await hub.addFile(id, file("x"));
      const { run: agents } = await hub.submit({ agent: shellFixture("sleeps"), task });
      for await (const { type } of hub.follow(agents.id, -1, AbortSignal.timeout(HANG_MS))) {
        if (type === "progress") break;
      }
      await Promise.all([hub.remove(id), hub.remove(agents.id)]);
      for (const gone of [id, agents.id]) {
        await refused(hub.run(gone), "RUN_NOT_FOUND");
        await refused(hub.steps(gone), "RUN_NOT_FOUND");
        await refused(hub.events(gone, {}), "RUN_NOT_FOUND");
        await refused(hub.remove(gone), "RUN_NOT_FOUND");
        await refused(tell(gone, step()), "RUN_NOT_FOUND");
      }
      await refused(hub.artifact(id, artifact.id), "RUN_NOT_FOUND");
      expect(await hub.runsPage({ page: 1, size: 10 })).toEqual({ items: [], total: 0 });
    });
  });

  describe("pages by number", () => {
    it("hold only runs of the statuses and the agent that are asked for", async () => {
      const [first, second] = [await begin(), await begin()];
      await hub.cancel(first.id);
      const ids = async (query: { status?: RunStatus[]; agent?: string }) => {
        const { items, total } = await hub.runsPage({ page: 1, size: 10, ...query });
        expect(total).toBe(items.length);
        return items.map(({ id }) => id);
      };
      expect(await ids({ status: ["cancelled"] })).toEqual([first.id]);
      expect(await ids({ status: ["running", "cancelled"] })).toEqual([second.id, first.id]);
      expect(await ids({ status: ["running"], agent: second.agent })).toEqual([second.id]);
      expect(await ids({ agent: "nobody" })).toEqual([]);
      expect(await hub.runsPage({ page: 2, size: 1, agent: first.agent })).toMatchObject({
        items: [{ id: first.id }],
        total: 2,
      });
    });

    it("hold all runs, the newest first, and know how many there are", async () => {
      const ids: string[] = [];
      for (let count = 0; count < 5; count++) ids.unshift((await begin()).id);
      const page = async (number: number) => {
        const { items, total } = await hub.runsPage({ page: number, size: 2 });
        expect(total).toBe(5);
        return items.map(({ id }) => id);
      };
      expect([await page(1), await page(2), await page(3), await page(4)]).toEqual([
        ids.slice(0, 2),
        ids.slice(2, 4),
        ids.slice(4),
        [],
      ]);
    });
  });
}

function step(name = "look"): ClientDraft & { type: "step.added" } {
  const payload = { step_id: uuidV7(), name, input: { place: "here" }, additional_input: { hint: 1 } };
  return { type: "step.added", payload };
}

type Change = Omit<(ClientDraft & { type: "step.changed" })["payload"], "step_id">;

function change(id: string, changes: Change): ClientDraft {
  return { type: "step.changed", payload: { step_id: id, ...changes } };
}

function file(content: string, changes: Partial<NewFile> = {}): NewFile {
  return {
    fileName: "report.txt",
    relativePath: "out/report.txt",
    contentType: "text/plain",
    maxBytes: MAX_BYTES,
    content: inPieces(content),
    ...changes,
  };
}

async function* inPieces(content: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content);
  for (let start = 0; start < bytes.length; start += 100) yield bytes.subarray(start, start + 100);
}

async function* breaks(error: Error): AsyncGenerator<Uint8Array> {
  yield Buffer.from("half");
  throw error;
}

async function refused(action: Promise<unknown>, code: ErrorCode, message = /\w/): Promise<void> {
  const error: unknown = await action.then(
    () => "it was allowed",
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({
    name: "ProctorError",
    code,
    message: expect.stringMatching(message) as string,
  });
}
