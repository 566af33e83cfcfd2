// Nothing stays: after many cycles, after environments that were destroyed in the middle of work, and after a hub that was killed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { gone, running, uniqueSeconds, until } from "../../../test/support/environments/running.ts";
import { findCgroups } from "./cgroup-home.ts";
import { createBwrapProvider } from "./provider.ts";
import { linkProgram } from "../../../test/support/bundle-program.ts";
import { describeBwrap } from "../../../test/support/environments/bwrap-machine.ts";
import { HANG_MS } from "../../../test/support/eventually.ts";

const PROGRAM = new URL("../../../test/support/environments/killed-bwrap-hub.ts", import.meta.url);
const CYCLES = 24;
const AT_ONCE = 10;

await describeBwrap("a bwrap environment at its end", (machine) => {
  it(`leaves nothing after ${CYCLES} cycles, those included that are destroyed in the middle`, async () => {
    const seconds = uniqueSeconds();
    const descriptors = readdirSync("/proc/self/fd").length;
    let left = CYCLES;
    async function lane(): Promise<void> {
      while (left-- > 0) {
        const profile = left % 2 === 0 ? "strict" : "multi-user";
        const limits = { memory_mb: 256, processes: 64, disk_mb: 32 };
        const environment = await machine.open(profile)({ options: { limits } });
        const shell = await environment.openShell();
        const script = `sleep ${seconds} & setsid sleep ${seconds} & yes > /app/out & sleep ${seconds}`;
        const busy = shell.run(script, { timeoutMs: HANG_MS }).catch(() => undefined);
        if (left % 3 === 0) await environment.run({ command: ["true"], timeoutMs: HANG_MS });
        await environment.destroy();
        await busy;
        await shell.close();
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    await gone(seconds);
    expect(await machine.leftovers()).toEqual([]);
    // Pipes are kept for the next program, a few at a time.
    await until(() => readdirSync("/proc/self/fd").length < descriptors + 60);
  });

  it("dies with a hub that is killed, and is swept by the next", async () => {
    const seconds = uniqueSeconds();
    const program = await linkProgram(fileURLToPath(PROGRAM));
    const hub = spawn(process.execPath, [program, machine.stateDir, seconds], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(hub.stdout, "data");
    const { pid } = hub;
    await until(() => running(seconds) >= 8);
    hub.kill("SIGKILL");
    await once(hub, "exit");
    await gone(seconds);
    const live = join(machine.stateDir, "bwrap/live");
    const groups = (): string[] =>
      [...new Set(Object.values(findCgroups()).map(({ dir }) => dir))].flatMap((dir) =>
        readdirSync(dir).filter((name) => name.startsWith(`proctor-left-${pid}-`)),
      );
    const network = join(machine.stateDir, "network");
    mkdirSync(join(network, `${pid}-1.sockets`), { recursive: true });
    await createBwrapProvider({ stateDir: machine.stateDir }).sweep();
    expect(readdirSync(network)).toEqual([]);
    rmdirSync(network);
    expect(readdirSync(live).filter((name) => name.startsWith(`${pid}-`))).toEqual([]);
    expect(groups()).toEqual([]);
    await until(() => !readdirSync("/proc").some((name) => existsSync(`/proc/${name}/cwd/fstab`)));
    expect((await machine.leftovers()).filter((line) => !line.startsWith("mount"))).toEqual([]);
  });

  it("sweeps nothing that is alive", async () => {
    const environment = await machine.open("strict")();
    await createBwrapProvider({ stateDir: machine.stateDir }).sweep();
    expect((await environment.run({ command: ["echo", "alive"], timeoutMs: HANG_MS })).stdout).toBe(
      "alive\n",
    );
    await environment.destroy();
  });

  it("runs 60 programs at once", async () => {
    const all = await Promise.all(
      Array.from({ length: 60 }, () =>
        machine.open("strict")({ options: { limits: { memory_mb: 128, processes: 32 } } }),
      ),
    );
    const outputs = await Promise.all(
      all.map((environment, index) =>
        environment.run({ command: ["echo", String(index)], timeoutMs: HANG_MS }),
      ),
    );
    expect(outputs.map(({ stdout }) => stdout.trim())).toEqual(all.map((_, index) => String(index)));
    await Promise.all(all.map((environment) => environment.destroy()));
    expect(await machine.leftovers()).toEqual([]);
  });
});
