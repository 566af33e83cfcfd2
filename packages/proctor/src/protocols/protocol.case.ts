// What every driver promises, whatever the transport: one suite, run on each stage. A failing agent is data (invariant 3).
import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../core/json.ts";
import type { AgentReport, Job } from "../core/ports/driver.ts";
import type { Play, Puppet, PuppetTask, Stage } from "../../test/support/protocols/puppet.ts";
import { createDriverLookup } from "./registry.ts";

interface Attempt {
  reports: AgentReport[];
  job: Job;
  cancel(): void;
  kill(): void;
  /** Ends after exactly one report of kind "end", and never throws. */
  done: Promise<void>;
}

export function describeDriver(stage: Stage, words: ProtocolWords): void {
  const { event, response, rules: broken, flood = 3000, skips = {} } = words;
  const drivers = createDriverLookup({ hubId: "case", ...stage.driverOptions });
  const puppets: Puppet[] = [];
  afterEach(async () => {
    for (const puppet of puppets.splice(0)) await puppet.close();
  });

  /** A case that the protocol cannot express is skipped, and says why. */
  const known = new Set<string>();
  function it(title: string, body: () => Promise<void>): void {
    known.add(title);
    test(title, async ({ skip }) => {
      const reason = skips[title];
      if (reason !== undefined) skip(reason);
      await body();
    });
  }

  async function start(play: Play, overrides: Partial<Job> = {}): Promise<Attempt> {
    const puppet = await stage.raise(play);
    puppets.push(puppet);
    return open(puppet, overrides);
  }

  function open(puppet: Puppet, overrides: Partial<Job> = {}): Attempt {
    const cancel = new AbortController();
    const kill = new AbortController();
    const job: Job = {
      runId: randomUUID(),
      spec: puppet.spec,
      ...(puppet.environment && { environment: puppet.environment }),
      ...(puppet.terminal && { terminal: puppet.terminal }),
      task: { description: "do it" },
      constraints: {},
      context: {},
      metadata: {},
      traceId: "0123456789abcdef0123456789abcdef",
      ...overrides,
    };
    const reports: AgentReport[] = [];
    const consume = async (): Promise<void> => {
      for await (const report of drivers(job.spec).open(job, { cancel: cancel.signal, kill: kill.signal })) {
        reports.push(report);
      }
    };
    return { reports, job, cancel: () => cancel.abort(), kill: () => kill.abort(), done: consume() };
  }

  const ends = ({ reports }: Attempt) =>
    reports.flatMap((report) => (report.kind === "end" ? [report.end] : []));
  const kinds = ({ reports }: Attempt) =>
    words.heard?.(reports) ??
    reports
      .flatMap((report) => (report.kind === "event" ? [report.event.type] : []))
      .filter((type) => !NOT_SAID.has(type) && !words.alwaysReported?.includes(type));
  const rules = ({ reports }: Attempt) =>
    reports.flatMap((report) =>
      report.kind === "event" && report.event.type === "violation" ? [report.event.payload.rule] : [],
    );

  describe(`a driver over ${stage.name}`, () => {
    it("sends the task, and reports events and artifacts in order, then one end", async () => {
      let request: JsonObject = {};
      const attempt = await start(
        async (task) => {
          request = task.request;
          await task.event(event(task, 0, "llm_request", { model: "m" }));
          await task.event(event(task, 1, "tool_call", { tool: "search" }));
          await task.respond(response(task, { artifacts: [{ type: "file", path: "r.md", content: "n" }] }));
        },
        {
          task: { description: "résumé ☃\u2028next", input_data: { nested: [1, null, "x"] } },
          constraints: { allowed_tools: [], max_steps: 5 },
          context: { environment: { KEY: "v" }, workspace_path: "/w" },
          metadata: { test_id: "a" },
        },
      );
      await attempt.done;
      expect(request).toMatchObject(
        words.request({
          ...attempt.job,
          constraints: { ...attempt.job.constraints, timeout_seconds: 300 },
        }),
      );
      expect(kinds(attempt)).toEqual(["llm_request", "tool_call"]);
      expect(rules(attempt)).toEqual([]);
      expect(attempt.reports.find((report) => report.kind === "artifact")).toMatchObject({
        artifact: { type: "file", path: "r.md", content: Buffer.from("n") },
      });
      expect(attempt.reports.at(-1)).toMatchObject({ kind: "end", end: { status: "completed" } });
      expect(ends(attempt)).toHaveLength(1);
    });

    test.each(words.statuses)("takes the agent's word: %s", async (status) => {
      const error = { error: "no such tool", error_code: "TOOL_NOT_FOUND", error_details: { tool: "x" } };
      const attempt = await start((task) => task.respond(response(task, { status, ...error })));
      await attempt.done;
      expect(ends(attempt)).toMatchObject([
        { status, failure: { code: "TOOL_NOT_FOUND", message: "no such tool" } },
      ]);
    });

    it("keeps events of an agent that vanishes, and ends as failed", async () => {
      const attempt = await start(async (task) => {
        await task.event(event(task, 0, "tool_call", { tool: "search" }));
        // Cut only when the driver has reported what was sent.
        await until(() => kinds(attempt).length === 1);
        task.vanish();
      });
      await attempt.done;
      expect(kinds(attempt)).toEqual(["tool_call"]);
      expect(ends(attempt)).toMatchObject([
        {
          status: "failed",
          failure: { code: expect.stringMatching(/^(AGENT_CRASHED|CONNECTION_LOST|NO_RESPONSE)$/) as string },
        },
      ]);
    });

    it("asks the agent to stop, and still hears its answer", async () => {
      const attempt = await start(async (task) => {
        await task.event(event(task, 0, "tool_call", { tool: "search" }));
        await task.stopped;
        await task.respond(response(task, { status: "cancelled" }));
      });
      await until(() => kinds(attempt).length === 1);
      attempt.cancel();
      await attempt.done;
      expect(ends(attempt)).toHaveLength(1);
      expect(ends(attempt)[0]?.status).not.toBe("completed");
    });

    it("releases everything when killed, however deaf the agent is", async () => {
      const attempt = await start(async (task) => {
        await task.event(event(task, 0, "tool_call", { tool: "search" }));
        await new Promise(() => undefined);
      });
      await until(() => kinds(attempt).length === 1);
      attempt.cancel();
      attempt.kill();
      await attempt.done;
      expect(ends(attempt)).toHaveLength(1);
    });

    it("ends when it was stopped before it began", async () => {
      const puppet = await stage.raise((task) => task.respond(response(task, {})));
      puppets.push(puppet);
      const attempt = open(puppet);
      attempt.cancel();
      attempt.kill();
      await attempt.done;
      expect(ends(attempt)).toHaveLength(1);
    });

    it("records another task's id, and takes the message", async () => {
      const attempt = await start(async (task) => {
        const stranger = { ...task, request: { ...task.request, task_id: randomUUID() } };
        await task.event(event(stranger, 0, "progress", { percentage: 1 }));
        await task.respond(response(task, {}));
      });
      await attempt.done;
      expect(rules(attempt)).toContain(broken.otherTask);
      expect(ends(attempt)).toMatchObject([{ status: "completed" }]);
    });

    it("carries a large task and a large answer", async () => {
      const text = "x".repeat(2_000_000);
      let received = 0;
      const attempt = await start(
        async (task) => {
          received = JSON.stringify(task.request).length;
          await task.respond(response(task, { artifacts: [{ type: "file", path: "a", content: text }] }));
        },
        { task: { description: "d", input_data: { text } } },
      );
      await attempt.done;
      expect(received).toBeGreaterThan(text.length);
      const artifact = attempt.reports.find((report) => report.kind === "artifact")?.artifact;
      expect(artifact?.type === "file" ? artifact.content?.length : 0).toBe(text.length);
    });

    it("keeps a flood in order, and holds the agent back while nobody reads", async () => {
      const attempt = await start(async (task) => {
        for (let index = 0; index < flood; index++) {
          await task.event(event(task, index, "tool_call", { tool: `t${index}` }));
        }
        await task.respond(response(task, {}));
      });
      await attempt.done;
      expect(kinds(attempt)).toHaveLength(flood);
      expect(rules(attempt)).toEqual([]);
    });

    it("runs several tasks at once without mixing them", async () => {
      const puppet = await stage.raise(async (task) => {
        await task.event(event(task, 0, "tool_call", { tool: words.description(task) }));
        await task.respond(response(task, {}));
      });
      puppets.push(puppet);
      const attempts = Array.from({ length: 8 }, () => open(puppet, { task: { description: randomUUID() } }));
      await Promise.all(attempts.map(({ done }) => done));
      for (const attempt of attempts) {
        expect(rules(attempt)).toEqual([]);
        const said = JSON.stringify(attempt.reports);
        for (const { job } of attempts) {
          expect(said.includes(job.task.description)).toBe(job === attempt.job);
        }
        expect(ends(attempt)).toMatchObject([{ status: "completed" }]);
      }
    });

    if (stage.carriesText) {
      it("fails with INVALID_RESPONSE when the answer cannot be used", async () => {
        const attempt = await start((task) => task.respond(words.unusable(task)));
        await attempt.done;
        expect(ends(attempt)).toMatchObject([{ status: "failed", failure: { code: "INVALID_RESPONSE" } }]);
      });
    }

    test("skips only cases that exist", () => {
      expect(Object.keys(skips).filter((title) => !known.has(title))).toEqual([]);
    });

    if (!words.hasEnvelope) return;

    it("records repeated and skipped sequences, in order of arrival", async () => {
      const attempt = await start(async (task) => {
        for (const sequence of [0, 0, 1, 5])
          await task.event(event(task, sequence, "progress", { percentage: sequence }));
        await task.respond(response(task, {}));
      });
      await attempt.done;
      expect(rules(attempt)).toEqual(["atp.sequence.repeated", "atp.sequence.gap"]);
      expect(kinds(attempt)).toHaveLength(4);
    });

    it("keeps events of a kind that nobody knows", async () => {
      const attempt = await start(async (task) => {
        await task.event(event(task, 0, "telepathy", { strength: 3 }));
        await task.respond(response(task, {}));
      });
      await attempt.done;
      expect(attempt.reports[0]).toMatchObject({
        event: { type: "unknown", payload: { event_type: "telepathy", payload: { strength: 3 } } },
      });
    });

    it("rejects a message of another major version, accepts a higher minor and keeps its fields", async () => {
      const rejected = await start((task) => task.respond({ ...response(task, {}), version: "2.0" }));
      await rejected.done;
      expect(rules(rejected)).toContain("atp.version");
      expect(ends(rejected)).toMatchObject([{ status: "failed", failure: { code: "INVALID_RESPONSE" } }]);
      const accepted = await start((task) =>
        task.respond({ ...response(task, {}), version: "1.7", novelty: { a: 1 } }),
      );
      await accepted.done;
      expect(ends(accepted)).toMatchObject([{ status: "completed", extensions: { novelty: { a: 1 } } }]);
    });

    it("takes a response without metrics, and records what it lacks", async () => {
      const attempt = await start((task) => {
        const { metrics: _, ...rest } = response(task, {});
        return task.respond(rest);
      });
      await attempt.done;
      expect(rules(attempt)).toContain("atp.response");
      expect(ends(attempt)).toMatchObject([{ status: "completed" }]);
    });

    // Typed messages cannot be garbage.
    if (!stage.carriesText) return;

    it("keeps garbage as a log, and hears what follows", async () => {
      const attempt = await start(async (task) => {
        await task.event("{ this is not JSON");
        await task.event(`{"deep":${"[".repeat(5000)}`);
        await task.event(event(task, 0, "progress", { percentage: 1 }));
        await task.respond(response(task, {}));
      });
      await attempt.done;
      expect(rules(attempt)).toEqual(["atp.json", "atp.json"]);
      expect(kinds(attempt)).toEqual(["progress"]);
      expect(ends(attempt)).toMatchObject([{ status: "completed" }]);
    });
  });
}

/** How agents of the protocol express what the cases need. */
export interface ProtocolWords {
  /** A part of what an agent is sent for a job. */
  request: (job: Job) => JsonObject;
  /** The description of the task in a request. */
  description: (task: PuppetTask) => string;
  event: (task: PuppetTask, sequence: number, kind: string, payload: JsonObject) => JsonObject;
  response: (task: PuppetTask, fields: JsonObject) => JsonObject;
  /** An answer that cannot be used. */
  unusable: (task: PuppetTask) => JsonObject;
  /** The statuses with which an agent can end, other than success. */
  statuses: readonly string[];
  /** Names of the rules that are recorded. */
  rules: { otherTask: string };
  /** True when messages carry their version, sequence and kind. */
  hasEnvelope: boolean;
  /** The kinds of what was reported, where agents say it in text and not as events. */
  heard?: (reports: readonly AgentReport[]) => string[];
  /** Number of events in a flood; 3000 when absent. Smaller where each event is asked for. */
  flood?: number;
  /** Titles of cases that the protocol cannot express, each with the reason. */
  skips?: Readonly<Record<string, string>>;
  /** Kinds of events that come with everything the agent says. */
  alwaysReported?: readonly string[];
}

/** Events that drivers add to those of agents. */
const NOT_SAID = new Set<string>(["violation", "log", "process.exited"]);

async function until(holds: () => boolean): Promise<void> {
  await expect.poll(holds).toBe(true);
}
