// Two hubs of the built program on one PostgreSQL database: either door leads to every run.
import { describe, expect, it } from "vitest";
import type { Run } from "../../src/core/run.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { createDatabase, lacksPostgres } from "../support/postgres.ts";
import { runProgram } from "../support/program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { shellFixture } from "../support/test-hub.ts";

const task = { description: "do it" };

describe.skipIf(await lacksPostgres("two hubs on one PostgreSQL"))("two hubs on one database", () => {
  const folder = temporaryFolder("two-hubs");
  let options: { folder: string; env: Record<string, string> };
  let first: HubProcess;
  let second: HubProcess;

  it("share runs: what one is given, the other shows, follows and cancels", async () => {
    options = { folder, env: { DATABASE_URL: await createDatabase(), PROCTOR_GRACE_SECONDS: "1" } };
    first = await startHubProcess(options);
    // Takes no runs, so that it is certain who works.
    second = await startHubProcess({ ...options, args: ["--concurrency", "0"] });
    const { id } = await second.post<Run>("/runs", { agent: shellFixture("ok"), task });
    expect(await second.ended(id)).toMatchObject({ status: "completed" });
    expect(await second.events(id)).toEqual(await first.events(id));

    const sleeping = await first.post<Run>("/runs", { agent: shellFixture("sleeps"), task });
    await second.until(sleeping.id, ({ type }) => type === "progress");
    await second.post(`/runs/${sleeping.id}/cancel`);
    expect(await first.ended(sleeping.id)).toMatchObject({ status: "cancelled" });
    const followed: string[] = [];
    for await (const { type } of second.follow(sleeping.id)) followed.push(type);
    expect(followed.at(-1)).toBe("run.ended");
  });

  it("let a command in, through a hub or, once all hubs are gone, by itself", async () => {
    const shown = await runProgram(["runs", "list", "--json"], options);
    expect(shown.stdout).toContain('"completed"');
    for (const hub of [second, first]) expect(await hub.stop()).toBe(0);
    const alone = await runProgram(["runs", "list", "--json"], options);
    expect(alone).toMatchObject({ code: 0, stderr: "" });
    expect(alone.stdout).toBe(shown.stdout);
  });

  it("say what is wrong with the address, and never the password", async () => {
    const wrong = options.env["DATABASE_URL"]?.replace(/\/[^/]*$/, "/nothing_there") ?? "";
    const { code, stderr } = await runProgram(["runs", "list"], { folder, env: { DATABASE_URL: wrong } });
    expect(code).toBe(2);
    expect(stderr).toContain("there is no such database");
    expect(stderr).not.toContain("swordfish");
  });
});
