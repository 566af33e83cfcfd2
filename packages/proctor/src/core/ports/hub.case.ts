// Every promise of the Hub port, for any implementation: in this process, or elsewhere over HTTP. Agents are real
// programs, the small ones of test/fixtures/agents.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expectError } from "../../../test/support/expect-error.ts";
import type { TalkingPuppets } from "../../../test/support/talking-puppets.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { fixture, shellFixture } from "../../../test/support/test-hub.ts";
import type { RunEvent } from "../event.ts";
import type { Page } from "../page.ts";
import type { Run } from "../run.ts";
import type { Hub, RunRequest } from "./hub.ts";
import { forkHubCases } from "./fork-hub.case.ts";
import { judgingHubCases } from "./judging-hub.case.ts";
import { questionHubCases } from "./question-hub.case.ts";
import { talkHubCases } from "./talk-hub.case.ts";
import { taskHubCases } from "./task-hub.case.ts";
import { HANG_MS } from "../../../test/support/eventually.ts";

export interface OpenedHub {
  hub: Hub;
  /** Agents that the test plays, in the hub. */
  puppets: TalkingPuppets;
  close(): Promise<void>;
}

const task = { description: "do it" };
const NOBODY = "01890000-0000-7000-8000-000000000000";
/** `open` makes a new, empty hub each time, one that runs several agents at once and judges with `verifyInTests`. */
export function hubCases(name: string, open: () => Promise<OpenedHub>): void {
  const folder = temporaryFolder("hub-cases");
  let opened: OpenedHub;
  let hub: Hub;

  const submit = async (agent: RunRequest["agent"], request: Partial<RunRequest> = {}): Promise<Run> =>
    (await hub.submit({ agent, task, ...request })).run;

  const follow = (id: string, after = -1): AsyncIterable<RunEvent> =>
    hub.follow(id, after, AbortSignal.timeout(HANG_MS));

  async function until(id: string, satisfied: (event: RunEvent) => boolean): Promise<RunEvent> {
    for await (const event of follow(id)) if (satisfied(event)) return event;
    throw new Error(`run ${id} ended before the awaited event, or it never came`);
  }

  async function ended(id: string): Promise<Run> {
    await until(id, ({ type }) => type === "run.ended");
    return hub.run(id);
  }

  const complete = async (agent: RunRequest["agent"] = shellFixture("ok")): Promise<Run> =>
    ended((await submit(agent)).id);

  /** One run that is running, and one behind it that waits for the same agent. */
  async function runningAndQueued(): Promise<{ running: string; queued: string }> {
    const agent = { ...shellFixture("sleeps"), concurrency: 1 };
    const running = await submit(agent);
    await until(running.id, ({ type }) => type === "progress");
    const queued = await submit(agent);
    expect((await hub.run(queued.id)).status).toBe("queued");
    return { running: running.id, queued: queued.id };
  }

  async function stop(...ids: string[]): Promise<void> {
    for (const id of ids) {
      await hub.cancel(id);
      await ended(id);
    }
  }

  describe(name, () => {
    beforeEach(async () => {
      opened = await open();
      ({ hub } = opened);
    });
    afterEach(() => opened.close());

    describe("submit", () => {
      it("answers with the stored run, which then completes", async () => {
        const { run, created } = await hub.submit({
          agent: shellFixture("ok"),
          task: { ...task, input_data: { rows: [1, null, "✓"] }, unknown_field: { kept: true } },
          constraints: { timeout_seconds: 20, allowed_tools: [] },
          context: { workspace_path: "/w", environment: { API_KEY: "s3cret-value" } },
          metadata: { team: "research" },
        });
        expect(created).toBe(true);
        expect(run).toMatchObject({
          agent: expect.stringMatching(/^atp\+stdio:.*ok\.sh$/) as string,
          task: { description: "do it", input_data: { rows: [1, null, "✓"] }, unknown_field: { kept: true } },
          constraints: { timeout_seconds: 20, allowed_tools: [] },
          context: { workspace_path: "/w", environment: { API_KEY: "***" } },
          metadata: { team: "research" },
          attempt: 1,
          retry: null,
          retry_of: null,
          ended_at: null,
        });
        const last = await ended(run.id);
        expect(last).toMatchObject({ id: run.id, status: "completed", failure: null, violations: [] });
        expect(last.artifacts).toMatchObject([
          { type: "structured", name: "result", data: { output: "Processed: do it" } },
        ]);
        expect(Date.parse(last.ended_at ?? "")).toBeGreaterThanOrEqual(Date.parse(last.created_at));
      });

      it("takes an address in short notation", async () => {
        const { command } = shellFixture("ok");
        const run = await complete(`atp+stdio:${command.join(" ")}`);
        expect(run).toMatchObject({ status: "completed", agent: `atp+stdio:${command.join(" ")}` });
      });

      it("joins the trace it is given, and starts one otherwise", async () => {
        const traceId = "0af7651916cd43dd8448eb211c80319c";
        const given = await hub.submit({ agent: shellFixture("ok"), task }, { traceId });
        const own = await hub.submit({ agent: shellFixture("ok"), task });
        expect(given.run.trace_id).toBe(traceId);
        expect(own.run.trace_id).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
        await Promise.all([ended(given.run.id), ended(own.run.id)]);
      });

      it("returns the first run for the same idempotency key and body, also at the same moment", async () => {
        const request = { agent: shellFixture("ok"), task, metadata: { a: 1, b: 2 } };
        const reordered = { metadata: { b: 2, a: 1 }, task, agent: shellFixture("ok") };
        const options = { idempotencyKey: "order-66" };
        const answers = await Promise.all([
          hub.submit(request, options),
          hub.submit(reordered, options),
          hub.submit(request, options),
        ]);
        expect(new Set(answers.map(({ run }) => run.id)).size).toBe(1);
        expect(answers.filter(({ created }) => created)).toHaveLength(1);
        const id = answers[0].run.id;
        await ended(id);
        const late = await hub.submit(request, options);
        expect(late).toMatchObject({ created: false, run: { id, status: "completed" } });
        expect((await hub.runs({})).items).toHaveLength(1);
      });

      it("refuses the same key with another body", async () => {
        const options = { idempotencyKey: "k" };
        const { run } = await hub.submit({ agent: shellFixture("ok"), task }, options);
        const other = { agent: shellFixture("ok"), task: { description: "something else" } };
        await expectError(hub.submit(other, options), "IDEMPOTENCY_CONFLICT");
        await ended(run.id);
        expect((await hub.runs({})).items).toHaveLength(1);
      });

      it("refuses an unknown agent, and suggests the one that was meant", async () => {
        await hub.addAgent({ name: "writer", ...shellFixture("ok") });
        await expectError(hub.submit({ agent: "writter", task }), "AGENT_NOT_FOUND", /did you mean "writer"/);
        expect((await hub.runs({})).items).toEqual([]);
      });

      it("refuses addresses that no protocol speaks, and what is no address", async () => {
        await expectError(hub.submit({ agent: "smtp+stdio:x", task }), "UNKNOWN_SCHEME", /smtp/);
        await expectError(hub.submit({ agent: "atp+carrier:x", task }), "UNKNOWN_SCHEME", /carrier/);
        await expectError(hub.submit({ agent: 'atp+stdio:"open', task }), "INVALID_REQUEST", /quote/);
        const empty = { protocol: "atp", transport: "stdio" };
        await expectError(hub.submit({ agent: empty, task }), "INVALID_REQUEST", /command/);
      });

      it("tries again by the retry policy, as a new run", async () => {
        const retry = { max_attempts: 2, initial_delay_ms: 1 };
        const first = await ended((await submit(fixture("crash"), { retry })).id);
        expect(first).toMatchObject({ status: "failed", attempt: 1, failure: { code: "AGENT_CRASHED" } });
        const second = await ended(first.retried_as ?? "");
        expect(second).toMatchObject({ attempt: 2, retry_of: first.id, retried_as: null });
      });
    });

    describe("runs", () => {
      it("lists the newest first, and by status, agent and order", async () => {
        await hub.addAgent({ name: "good", ...shellFixture("ok") });
        await hub.addAgent({ name: "bad", ...fixture("fails") });
        const ids: string[] = [];
        for (const agent of ["good", "bad", "good"]) ids.push((await complete(agent)).id);
        const [a = "", b = "", c = ""] = ids;
        expect(idsOf(await hub.runs({}))).toEqual([c, b, a]);
        expect(idsOf(await hub.runs({ order: "oldest" }))).toEqual([a, b, c]);
        expect(idsOf(await hub.runs({ status: ["failed"] }))).toEqual([b]);
        expect(idsOf(await hub.runs({ status: ["failed", "completed"] }))).toEqual([c, b, a]);
        expect(idsOf(await hub.runs({ status: ["running"] }))).toEqual([]);
        expect(idsOf(await hub.runs({ agent: "good", status: ["completed"] }))).toEqual([c, a]);
        expect(idsOf(await hub.runs({ agent: "nobody" }))).toEqual([]);
        expect(idsOf(await hub.runs({ prefix: b.slice(0, 30) }))).toEqual([b]);
        expect(idsOf(await hub.runs({ prefix: "ffff" }))).toEqual([]);
        expect((await hub.runs({})).items[1]).toEqual(await hub.run(b ?? ""));
      });

      it("pages without gaps or repeats while runs are added", async () => {
        const before = await Promise.all([complete(), complete(), complete()]);
        const first = await hub.runs({ limit: 2 });
        await complete();
        const rest = await hub.runs({ limit: 2, cursor: first.next_cursor ?? "" });
        expect(rest.next_cursor).toBeNull();
        expect([...idsOf(first), ...idsOf(rest)].toSorted()).toEqual(before.map(({ id }) => id).toSorted());
      });

      it("refuses cursors of other lists and made-up ones", async () => {
        await Promise.all([complete(), complete()]);
        const { next_cursor: cursor } = await hub.runs({ limit: 1 });
        await expectError(hub.runs({ cursor: cursor ?? "", status: ["completed"] }), "INVALID_CURSOR");
        await expectError(hub.runs({ cursor: "made-up" }), "INVALID_CURSOR");
        await expectError(hub.agents({ cursor: cursor ?? "" }), "INVALID_CURSOR");
      });
    });

    describe("events", () => {
      it("reads the log in pages, gapless from 0", async () => {
        const { id } = await complete();
        const pages: RunEvent[][] = [];
        for (let after = -1; ; after = pages.at(-1)?.at(-1)?.sequence ?? after) {
          const page = await hub.events(id, { after, limit: 3 });
          if (page.length === 0) break;
          pages.push(page);
        }
        const all = pages.flat();
        expect(pages[0]).toHaveLength(3);
        expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, index) => index));
        expect(all.map(({ type }) => type)).toEqual([
          "run.created",
          "run.queued",
          "run.started",
          "progress",
          "progress",
          "process.exited",
          "artifact.added",
          "run.ended",
        ]);
        expect(await hub.events(id, {})).toEqual(all);
        expect(await hub.events(id, { after: 1_000_000 })).toEqual([]);
      });

      it("refuses a run that does not exist", async () => {
        await expectError(hub.events(NOBODY, {}), "RUN_NOT_FOUND");
        await expectError(hub.run(NOBODY), "RUN_NOT_FOUND");
        await expectError(hub.run("../agents?x=1#"), "RUN_NOT_FOUND");
      });
    });

    describe("follow", () => {
      it("replays the log, goes on live, and ends after run.ended", async () => {
        const { id } = await submit(shellFixture("pausable", "10"));
        await until(id, ({ type }) => type === "progress");
        const seen = await collect(follow(id));
        expect(seen.at(-1)?.type).toBe("run.ended");
        expect(seen.filter(({ type }) => type === "progress")).toHaveLength(10);
        expect(seen).toEqual(await hub.events(id, { limit: 1000 }));
      });

      it("goes on from a sequence, whatever the reader had seen", async () => {
        const { id } = await submit(shellFixture("pausable", "5"));
        const early: RunEvent[] = [];
        for await (const event of follow(id)) {
          early.push(event);
          if (event.type === "progress") break;
        }
        const late = await collect(follow(id, early.at(-1)?.sequence ?? -1));
        expect([...early, ...late]).toEqual(await hub.events(id, { limit: 1000 }));
        const again = await collect(follow(id, late.at(-3)?.sequence ?? -1));
        expect(again).toEqual(late.slice(-2));
      });

      it("ends at once when everything of an ended run was seen", async () => {
        const { id } = await complete();
        const last = (await hub.events(id, { limit: 1000 })).at(-1)?.sequence ?? -1;
        expect(await collect(follow(id, last))).toEqual([]);
      });

      it("serves many readers of one run alike", async () => {
        const { id } = await submit(shellFixture("pausable", "5"));
        const readers = await Promise.all(Array.from({ length: 5 }, () => collect(follow(id))));
        for (const seen of readers) expect(seen).toEqual(readers[0]);
        expect(readers[0]?.at(-1)?.type).toBe("run.ended");
      });

      it("stops when its signal fires, and the run goes on", async () => {
        const { running, queued } = await runningAndQueued();
        const gone = new AbortController();
        const seen: string[] = [];
        for await (const { type } of hub.follow(running, -1, gone.signal)) {
          seen.push(type);
          if (type === "progress") gone.abort();
        }
        expect(seen.at(-1)).toBe("progress");
        expect((await hub.run(running)).status).toBe("running");
        await stop(queued, running);
      });

      it("refuses a run that does not exist", async () => {
        await expectError(collect(follow(NOBODY)), "RUN_NOT_FOUND");
      });
    });

    describe("cancelling", () => {
      it("ends a queued run at once: it never starts", async () => {
        const { running, queued } = await runningAndQueued();
        const cancelled = await hub.cancel(queued, "changed my mind");
        expect(cancelled).toMatchObject({
          status: "cancelled",
          started_at: null,
          failure: { code: "CANCELLED", message: "changed my mind" },
        });
        await stop(running);
        expect((await hub.run(queued)).started_at).toBeNull();
      });

      it("stops a running run and keeps what it had sent", async () => {
        const { id } = await submit(shellFixture("sleeps"));
        await until(id, ({ type }) => type === "progress");
        const asked = await hub.cancel(id, "enough");
        expect(asked).toMatchObject({ id, status: "running" });
        expect(await ended(id)).toMatchObject({ status: "cancelled", failure: { message: "enough" } });
        const types = (await hub.events(id, { limit: 1000 })).map(({ type }) => type);
        expect(types).toContain("progress");
        expect(types).toContain("run.cancel_requested");
      });

      it("changes nothing when it is repeated", async () => {
        const { running, queued } = await runningAndQueued();
        const first = await hub.cancel(queued, "first");
        expect(await hub.cancel(queued, "second")).toEqual(first);
        await hub.cancel(running);
        await hub.cancel(running).catch((error: unknown) => expect(error).toBeUndefined());
        const last = await ended(running);
        expect(await hub.cancel(running)).toEqual(last);
      });

      it("is refused for a run that ended otherwise or does not exist", async () => {
        const { id } = await complete();
        await expectError(hub.cancel(id), "ILLEGAL_TRANSITION", /completed/);
        await expectError(hub.cancel(NOBODY), "RUN_NOT_FOUND");
      });
    });

    describe("pause and resume", () => {
      it("holds a run and lets it go on", async () => {
        const enough = join(folder, "enough");
        const { id } = await submit(shellFixture("pausable", "1000000", enough));
        await until(id, ({ type }) => type === "progress");
        expect((await hub.pause(id)).status).toBe("paused");
        expect((await hub.run(id)).status).toBe("paused");
        await expectError(hub.pause(id), "ILLEGAL_TRANSITION");
        expect((await hub.resume(id)).status).toBe("running");
        await expectError(hub.resume(id), "ILLEGAL_TRANSITION");
        const resumed = await until(id, ({ type }) => type === "run.resumed");
        await until(id, ({ type, sequence }) => type === "progress" && sequence > resumed.sequence);
        writeFileSync(enough, "");
        expect((await ended(id)).status).toBe("completed");
        const types = (await hub.events(id, { limit: 1000 })).map(({ type }) => type);
        expect(types.filter((type) => type.startsWith("run."))).toEqual([
          "run.created",
          "run.queued",
          "run.started",
          "run.pause_requested",
          "run.paused",
          "run.resume_requested",
          "run.resumed",
          "run.ended",
        ]);
      });

      it("cancels a paused run", async () => {
        const { id } = await submit(shellFixture("pausable", "1000"));
        await until(id, ({ type }) => type === "progress");
        await hub.pause(id);
        await hub.cancel(id);
        expect((await ended(id)).status).toBe("cancelled");
      });

      it("holds a run in the queue, which does not start before it is resumed", async () => {
        const { running, queued } = await runningAndQueued();
        expect(await hub.pause(queued)).toMatchObject({ status: "paused", started_at: null });
        await expectError(hub.pause(queued), "ILLEGAL_TRANSITION");
        await stop(running);
        expect(await hub.run(queued)).toMatchObject({ status: "paused", started_at: null });
        await hub.resume(queued);
        await until(queued, ({ type }) => type === "run.started");
        await stop(queued);
      });

      it("cancels a run that was paused in the queue", async () => {
        const { running, queued } = await runningAndQueued();
        await hub.pause(queued);
        expect(await hub.cancel(queued)).toMatchObject({ status: "cancelled", started_at: null });
        await stop(running);
      });

      it("is refused where the status does not allow it", async () => {
        const { running, queued } = await runningAndQueued();
        await expectError(hub.resume(queued), "ILLEGAL_TRANSITION");
        await expectError(hub.resume(running), "ILLEGAL_TRANSITION");
        await expectError(hub.pause(NOBODY), "RUN_NOT_FOUND");
        await expectError(hub.resume(NOBODY), "RUN_NOT_FOUND");
        await stop(queued, running);
        await expectError(hub.pause(running), "ILLEGAL_TRANSITION");
      });
    });

    describe("artifacts", () => {
      const content = "# Report\n\ndo it – done ✓\n";

      it("are kept with their bytes, which are read whole and in ranges", async () => {
        const run = await complete(fixture("file-artifact"));
        const [artifact] = run.artifacts;
        const id = artifact?.id ?? "";
        const size = Buffer.byteLength(content);
        expect(await hub.artifact(run.id, id)).toEqual(artifact);
        expect(artifact).toMatchObject({ type: "file", path: "report.md", size_bytes: size });
        expect(await text(hub.readArtifact(run.id, id))).toBe(content);
        expect(await text(hub.readArtifact(run.id, id, { start: 2, end: 7 }))).toBe("Report");
        expect(await text(hub.readArtifact(run.id, id, { start: 0, end: 0 }))).toBe("#");
        expect(await text(hub.readArtifact(run.id, id, { start: size - 1, end: size + 100 }))).toBe("\n");
        const outside = text(hub.readArtifact(run.id, id, { start: size, end: size + 1 }));
        await expectError(outside, "RANGE_NOT_SATISFIABLE");
      });

      it("have their JSON as bytes when they are structured", async () => {
        const run = await complete();
        const bytes = await text(hub.readArtifact(run.id, run.artifacts[0]?.id ?? ""));
        expect(JSON.parse(bytes)).toEqual({ output: "Processed: do it" });
      });

      it("are found only in their own run", async () => {
        const [mine, other] = await Promise.all([complete(), complete()]);
        const id = mine.artifacts[0]?.id ?? "";
        await expectError(hub.artifact(other.id, id), "ARTIFACT_NOT_FOUND");
        await expectError(text(hub.readArtifact(other.id, id)), "ARTIFACT_NOT_FOUND");
        await expectError(hub.artifact(NOBODY, id), "RUN_NOT_FOUND");
        await expectError(hub.artifact(mine.id, "../../x"), "ARTIFACT_NOT_FOUND");
      });

      it("are refused to readers when the hub has no bytes of them", async () => {
        const script = `process.stdin.once("data", () => { console.log(JSON.stringify({ version: "1.0", task_id: process.env.PROCTOR_RUN_ID, status: "completed", artifacts: [{ type: "reference", path: "s3://x/y" }], metrics: {} })); process.exit(0) })`;
        const run = await complete({ ...shellFixture("ok"), command: [process.execPath, "-e", script] });
        expect(run.artifacts).toMatchObject([{ type: "reference", path: "s3://x/y" }]);
        const id = run.artifacts[0]?.id ?? "";
        expect(await hub.artifact(run.id, id)).toEqual(run.artifacts[0]);
        await expectError(text(hub.readArtifact(run.id, id)), "ARTIFACT_NOT_FOUND");
      });
    });

    describe("agents", () => {
      it("are added, read, listed in pages by name, and removed", async () => {
        const added = await hub.addAgent({ name: "b", ...shellFixture("ok"), cwd: "/tmp", concurrency: 3 });
        expect(added).toMatchObject({
          name: "b",
          protocol: "atp",
          transport: "stdio",
          cwd: "/tmp",
          concurrency: 3,
          address: expect.stringMatching(/^atp\+stdio:.*ok\.sh$/) as string,
        });
        expect(await hub.agent("b")).toEqual(added);
        await hub.addAgent({ name: "c", ...shellFixture("ok") });
        await hub.addAgent({ name: "a", ...shellFixture("ok") });
        const first = await hub.agents({ limit: 2 });
        expect(first.items.map((agent) => agent.name)).toEqual(["a", "b"]);
        const rest = await hub.agents({ limit: 2, cursor: first.next_cursor ?? "" });
        expect(rest).toMatchObject({ items: [{ name: "c" }], next_cursor: null });
        await hub.removeAgent("b");
        await expectError(hub.agent("b"), "AGENT_NOT_FOUND");
        await expectError(hub.removeAgent("b"), "AGENT_NOT_FOUND");
        expect((await hub.agents({})).items).toHaveLength(2);
      });

      it("do tasks under their name, which their runs keep", async () => {
        await hub.addAgent({ name: "writer", ...shellFixture("ok") });
        const run = await complete("writer");
        expect(run).toMatchObject({ agent: "writer", status: "completed" });
        await hub.removeAgent("writer");
        expect((await hub.run(run.id)).agent).toBe("writer");
      });

      it("are replaced only on request", async () => {
        await hub.addAgent({ name: "writer", ...fixture("fails") });
        await expectError(hub.addAgent({ name: "writer", ...shellFixture("ok") }), "AGENT_EXISTS");
        expect((await complete("writer")).status).toBe("failed");
        const replaced = await hub.addAgent({ name: "writer", ...shellFixture("ok") }, { replace: true });
        expect(replaced.address).toMatch(/ok\.sh$/);
        expect((await complete("writer")).status).toBe("completed");
        await hub.addAgent({ name: "fresh", ...shellFixture("ok") }, { replace: true });
        expect((await hub.agent("fresh")).name).toBe("fresh");
      });

      it("keep their secrets to themselves and give them to their program", async () => {
        const secret = "sk-1234567890";
        const agent = await hub.addAgent({
          name: "leaky",
          ...fixture("leaks-secret"),
          env: { API_KEY: secret },
        });
        expect(agent.env).toEqual({ API_KEY: "***" });
        const run = await complete("leaky");
        const shown = JSON.stringify([run, await hub.events(run.id, { limit: 1000 }), await hub.agents({})]);
        expect(shown).not.toContain(secret);
        expect(shown).toContain("[redacted:API_KEY]");
      });

      it("are refused with an impossible name or address", async () => {
        await expectError(hub.addAgent({ name: "a b", ...shellFixture("ok") }), "INVALID_REQUEST");
        const smtp = { name: "post", protocol: "smtp", transport: "stdio", command: ["x"] };
        await expectError(hub.addAgent(smtp), "UNKNOWN_SCHEME");
        await expectError(
          hub.addAgent({ name: "x", protocol: "atp", transport: "stdio" }),
          "INVALID_REQUEST",
        );
        expect((await hub.agents({})).items).toEqual([]);
      });
    });
  });

  describe(`${name}: what a run leaves for its checks`, () => judgingHubCases(open));
  describe(`${name}: tasks`, () => taskHubCases(open));
  describe(`${name}: runs that talk`, () => talkHubCases(open));
  describe(`${name}: forks`, () => forkHubCases(open));
  describe(`${name}: runs that ask`, () => questionHubCases(open));
}

function idsOf({ items }: Page<Run>): string[] {
  return items.map(({ id }) => id);
}

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of source) all.push(item);
  return all;
}

async function text(bytes: Promise<AsyncIterable<Uint8Array>>): Promise<string> {
  return Buffer.concat(await collect(await bytes)).toString();
}
