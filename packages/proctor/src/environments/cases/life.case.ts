// From opening to destroying: many at once, interrupted, and with nothing left.
import { expect, it } from "vitest";
import type { Environment } from "../../core/ports/environments.ts";
import type { EnvironmentAbilities, OpenForCase } from "../environment.case.ts";
import { gone, running, uniqueSeconds, until } from "../../../test/support/environments/running.ts";
import { HANG_MS } from "../../../test/support/eventually.ts";

const MANY = 10;

export function lifeCases(open: OpenForCase, can: EnvironmentAbilities): void {
  const sh = (environment: Environment, script: string) =>
    environment.run({ command: ["bash", "-c", script], timeoutMs: HANG_MS });

  async function nothingLeft(): Promise<void> {
    expect(await can.leftovers?.()).toEqual(can.leftovers === undefined ? undefined : []);
  }

  it("reports its facts", async () => {
    const environment = await open({ role: "verifier", notes: ["from the build"] });
    try {
      expect(environment.facts).toMatchObject({
        isolated: can.isolated,
        role: "verifier",
        workdir: environment.workdir,
        notes: expect.arrayContaining(["from the build"]),
      });
    } finally {
      await environment.destroy();
    }
  });

  it("gives its variables to every program", async () => {
    const environment = await open({ env: { OF_THE_IMAGE: "yes", PATH: "/usr/local/bin:/usr/bin:/bin" } });
    try {
      expect((await sh(environment, "echo $OF_THE_IMAGE $MORE")).stdout).toBe("yes\n");
      const shell = await environment.openShell({ env: { MORE: "more" } });
      expect((await shell.run("echo $OF_THE_IMAGE $MORE", { timeoutMs: HANG_MS })).output.text).toBe(
        "yes more",
      );
      await shell.close();
    } finally {
      await environment.destroy();
    }
  });

  it("leaves no program behind, however it hid", async () => {
    const environment = await open();
    const seconds = uniqueSeconds();
    const hide = [
      `nohup sleep ${seconds} > /dev/null 2>&1 &`,
      `( ( sleep ${seconds} & ) & )`,
      `if command -v setsid > /dev/null; then setsid sleep ${seconds} < /dev/null > /dev/null 2>&1 & fi`,
      `bash -c 'trap "" HUP INT TERM; sleep ${seconds}; sleep ${seconds}' &`,
    ].join("\n");
    await sh(environment, hide);
    const shell = await environment.openShell();
    await shell.run(hide, { timeoutMs: HANG_MS });
    const pty = await environment.openPty({ command: ["bash", "-c", `sleep ${seconds}`] });
    const program = environment.start({ command: ["sleep", seconds] });
    await until(() => running(seconds) >= 6);
    await environment.destroy();
    await gone(seconds);
    await program.exited;
    await pty.close();
    await shell.close();
    await nothingLeft();
  });

  it("can be destroyed twice, and at the same time", async () => {
    const environment = await open();
    await Promise.all([environment.destroy(), environment.destroy()]);
    await environment.destroy();
    await nothingLeft();
  });

  it("starts nothing once it is destroyed", async () => {
    const environment = await open();
    await environment.destroy();
    const result = await sh(environment, "echo alive").catch(() => undefined);
    expect(result?.stdout ?? "").toBe("");
    expect(result?.code).not.toBe(0);
    await expect(environment.openShell()).rejects.toThrow();
    await expect(environment.openPty()).rejects.toThrow();
  });

  it("ends what is running when it is destroyed", async () => {
    const environment = await open();
    const shell = await environment.openShell();
    const running = Promise.allSettled([
      sh(environment, "sleep 1000"),
      shell.run("sleep 1000", { timeoutMs: HANG_MS }),
    ]);
    await environment.destroy();
    await running;
    await shell.close();
    await nothingLeft();
  });

  it("keeps many environments apart that are open at once", async () => {
    const all = await Promise.all(Array.from({ length: MANY }, () => open()));
    try {
      const outputs = await Promise.all(
        all.map((environment, index) =>
          sh(environment, `echo ${index} > mine; for i in 1 2 3; do cat mine; done; ls`),
        ),
      );
      expect(outputs.map(({ stdout }) => stdout)).toEqual(
        all.map((_, index) => `${`${index}\n`.repeat(3)}mine\n`),
      );
    } finally {
      await Promise.all(all.map((environment) => environment.destroy()));
    }
    await nothingLeft();
  });

  it("stops opening when the caller aborts", async () => {
    const already = AbortSignal.abort(new Error("enough"));
    await expect(open({ signal: already })).rejects.toThrow("enough");
    const stop = new AbortController();
    const opening = open({ signal: stop.signal });
    setImmediate(() => stop.abort(new Error("enough")));
    // It may have been faster than that.
    const [opened] = await Promise.allSettled([opening]);
    if (opened.status === "fulfilled") await opened.value.destroy();
    else expect(opened.reason).toMatchObject({ message: "enough" });
    await nothingLeft();
  });
}
