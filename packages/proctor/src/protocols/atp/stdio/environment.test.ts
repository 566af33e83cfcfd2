// An agent whose program lives in an environment: started there, supervised as here, with nothing of this machine's variables.
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import type { Job, AgentReport } from "../../../core/ports/driver.ts";
import type { Environment, StartOptions } from "../../../core/ports/environments.ts";
import { startHere } from "../../../runtime/processes/start-here.ts";
import { createStdioDriver } from "./driver.ts";

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../../../test/fixtures/agents/${name}.mjs`, import.meta.url));

afterEach(() => {
  delete process.env["SECRET_OF_THE_HUB"];
});

/** Only what a driver uses; programs run here. */
function place(): { environment: Environment; started: StartOptions[] } {
  const started: StartOptions[] = [];
  const start: Environment["start"] = (options) => {
    started.push(options);
    const env = { PATH: process.env["PATH"] ?? "", ...options.env };
    return startHere({
      command: options.command,
      env,
      ...(options.cwd !== undefined && { cwd: options.cwd }),
    });
  };
  // The driver starts a program in it; whoever opened it does the rest.
  return { environment: { start } as Environment, started };
}

function job(environment: Environment, command: string[], more: Partial<Job> = {}): Job {
  return {
    runId: randomUUID(),
    spec: { protocol: "atp", transport: "stdio", command },
    task: { description: "do it" },
    constraints: {},
    context: {},
    metadata: {},
    traceId: "0123456789abcdef0123456789abcdef",
    environment,
    ...more,
  };
}

async function drive(given: Job, kill = new AbortController().signal): Promise<AgentReport[]> {
  const reports: AgentReport[] = [];
  const session = createStdioDriver({ hubId: "hub" }).open(given, {
    cancel: new AbortController().signal,
    kill,
  });
  for await (const report of session) reports.push(report);
  return reports;
}

describe("an agent in an environment", () => {
  it("is started there, in its folder, with its variables, the run's and the platform's, and none of ours", async () => {
    const { environment, started } = place();
    process.env["SECRET_OF_THE_HUB"] = "x";
    const command = [process.execPath, fixture("ok")];
    const given = job(environment, command, {
      spec: {
        protocol: "atp",
        transport: "stdio",
        command,
        cwd: "/usr",
        env: { OWN: "1", LLM_API_KEY: "real" },
      },
      context: { environment: { KEY: "v" }, workspace_path: "/w" },
      env: { LLM_API_URL: "http://127.0.0.1:9/v1", LLM_API_KEY: "for this run" },
    });
    const reports = await drive(given);
    expect(reports.at(-1)).toMatchObject({ kind: "end", end: { status: "completed" } });
    expect(started).toHaveLength(1);
    const [{ env = {}, ...rest } = { command: [] }] = started;
    expect(rest).toEqual({ command, cwd: "/usr" });
    const { PATH: _path, TRACEPARENT: trace = "", ...others } = env;
    expect(trace).toContain(given.traceId);
    expect(others).toEqual({
      OWN: "1",
      KEY: "v",
      LLM_API_URL: "http://127.0.0.1:9/v1",
      LLM_API_KEY: "for this run",
      PROCTOR_RUN_ID: given.runId,
      PROCTOR_HUB_ID: "hub",
    });
  });

  it("that cannot be started there fails with what the environment says", async () => {
    const reports = await drive(job(place().environment, ["/nonexistent/agent"]));
    const failure = {
      code: "AGENT_CRASHED",
      details: { code: 127, stderr: expect.stringContaining("/nonexistent") as string },
    };
    expect(reports.at(-1)).toMatchObject({ kind: "end", end: { status: "failed", failure } });
  });

  it("that does not stop is killed", async () => {
    const kill = new AbortController();
    const { environment } = place();
    const done = drive(job(environment, [process.execPath, fixture("ignores-sigterm")]), kill.signal);
    kill.abort();
    expect((await done).at(-1)).toMatchObject({ kind: "end", end: { status: "failed" } });
  });
});

describe("an agent on this machine", () => {
  it("gets the platform's variables, too", async () => {
    const script = `process.stdin.resume().on("end", () => console.log(process.env.LLM_API_KEY));`;
    const { environment: _, ...given } = job(place().environment, [process.execPath, "-e", script], {
      env: { LLM_API_KEY: "for this run" },
    });
    const logs = (await drive(given)).flatMap((report) =>
      report.kind === "event" && report.event.type === "log" ? [report.event.payload.text] : [],
    );
    expect(logs).toEqual(["for this run"]);
  });
});
