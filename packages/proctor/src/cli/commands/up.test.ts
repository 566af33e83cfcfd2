// `proctor up`: what it says when it is ready, and how it stops.
import { expect, test } from "vitest";
import type { Agent } from "../../core/agent.ts";
import type { Run } from "../../core/run.ts";
import { createIo, createProgramDouble } from "../../../test/support/cli/program-double.ts";

const agent = (name: string): Agent => ({
  name,
  address: "atp+stdio:x",
  protocol: "atp",
  transport: "stdio",
  command: ["x"],
  created_at: "2026-01-01T00:00:00.000Z",
});

test("proctor up prints its address and what to try, stops on Ctrl-C and ends with 0", async () => {
  const io = createIo();
  const program = createProgramDouble({
    async serve(_, { onReady, signal }) {
      onReady({ url: "http://127.0.0.1:3001", agents: [agent("writer"), agent("critic")] });
      io.interrupt();
      expect(signal.aborted).toBe(true);
    },
  });

  const { code, out, err } = await program.run(
    ["up", "--port", "0", "--database", "file:x.db", "--artifacts", "a"],
    io,
  );

  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^● Proctor \d+\.\d+\.\d+ is up\n/);
  expect(out).toContain("http://127.0.0.1:3001/docs");
  expect(out).toContain("2: writer, critic");
  expect(out.match(/^ +(?:try +)?(?:proctor|curl) .*$/gm)).toHaveLength(3);
  expect(out).toMatch(/stopping: .*\nstopped\n$/);
  expect(program.sources[0]?.flags).toEqual({ port: "0", databaseUrl: "file:x.db", artifactsDir: "a" });
});

test("proctor up shows how to add an agent when there is none", async () => {
  const program = createProgramDouble({
    serve: async (_, { onReady }) => onReady({ url: "http://127.0.0.1:3001/", agents: [] }),
  });

  expect((await program.run(["up"])).out).toContain("proctor agents add");
});

const LOG_LINE = '{"method":"GET","path":"/favicon.ico"}\n';

const run = (fields: Partial<Run>): Run =>
  ({
    id: "0190c3a4-0000-7000-8000-000000000001",
    agent: "writer",
    status: "running",
    task: { description: "Say\nhello" },
    failure: null,
    started_at: "2026-01-01T12:00:00.000Z",
    ended_at: null,
    ...fields,
  }) as unknown as Run;

const busy = createProgramDouble({
  async serve(_, { writeLog, onRun, onProblem }) {
    onRun?.(run({}));
    writeLog(LOG_LINE);
    onRun?.(run({ status: "completed", ended_at: "2026-01-01T12:00:01.500Z" }));
    onProblem?.("the disk is full", "");
  },
});

test("proctor up prints a line on a terminal for each start, end and problem of a run, and no log of requests", async () => {
  const { err } = await busy.run(["up"], createIo({ columns: 100, env: { NO_COLOR: "1" } }));

  expect(err.split("\n")).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d {2}▶ started {4}0190c3a4-\S+ {2}writer {2}Say⏎ hello$/),
    expect.stringMatching(/^\d\d:\d\d:\d\d {2}✓ completed {2}0190c3a4-\S+ {2}in 1\.5s$/),
    "problem   the disk is full",
    "",
  ]);
});

test("proctor up writes the log into a pipe, and nothing else", async () => {
  expect((await busy.run(["up"])).err).toBe(LOG_LINE);
});
