// Limits hold, and what runs into one does no harm to what is beside it.
import { describe, expect, it } from "vitest";
import type { EnvironmentLimits, Profile } from "../../core/environment.ts";
import type { Environment } from "../../core/ports/environments.ts";
import { listProcesses } from "../../runtime/processes/process-table.ts";
import { startedBy } from "../../runtime/processes/signal-children.ts";
import { memoryOptions } from "./limits.ts";
import { describeBwrap } from "../../../test/support/environments/bwrap-machine.ts";
import { HANG_MS } from "../../../test/support/eventually.ts";

const PROFILES: readonly Profile[] = ["strict", "multi-user"];

await describeBwrap("a bwrap environment with limits", (machine) => {
  async function within(
    profile: Profile,
    limits: EnvironmentLimits,
    work: (environment: Environment) => Promise<void>,
  ): Promise<void> {
    const environment = await machine.open(profile)({ options: { limits } });
    try {
      await work(environment);
    } finally {
      await environment.destroy();
    }
    expect(await machine.leftovers()).toEqual([]);
  }
  const sh = (environment: Environment, script: string, timeoutMs = HANG_MS) =>
    environment.run({ command: ["bash", "-c", script], timeoutMs });
  /** How many processes there are below this one; those of other tests come and go by the hundred. */
  const countOurs = async (): Promise<number> => startedBy(process.pid, await listProcesses()).length;

  describe.each(PROFILES)("in the profile %s", (profile) => {
    it("contains a fork bomb", async () => {
      await within(profile, { processes: 60 }, async (environment) => {
        expect(environment.facts.enforced).toContain("processes");
        const shell = await environment.openShell();
        const before = await countOurs();
        const bomb = shell.run("bomb() { bomb | bomb & }; bomb; sleep 1000", { timeoutMs: 500 });
        await bomb.catch(() => undefined);
        expect((await countOurs()) - before).toBeLessThan(200);
        // Ends at all: the environment is gone with everything in it before the test's own time limit.
        await environment.destroy();
        await shell.close();
      });
    });

    it("kills a program that uses too much memory, and goes on", async () => {
      await within(profile, { memory_mb: 64, disk_mb: 64 }, async (environment) => {
        expect(environment.facts.enforced).toContain("memory_mb");
        const { code } = await sh(environment, "x=$(head -c 300000000 /dev/zero | tr '\\0' x); echo ${#x}");
        expect(code).not.toBe(0);
        expect((await sh(environment, "echo fine")).stdout).toBe("fine\n");
      });
    });

    it("gives no more disk than the limit, in whatever directory", async () => {
      await within(profile, { disk_mb: 16, memory_mb: 256 }, async (environment) => {
        for (const place of ["/app", "/tmp", "/dev/shm", "/usr"]) {
          const full = await sh(
            environment,
            `head -c 40000000 /dev/zero > ${place}/big; code=$?; rm -f ${place}/big; exit $code`,
          );
          expect(full.stderr).toContain("No space left");
          expect(full.code).not.toBe(0);
        }
        expect((await sh(environment, "echo x > /dev/big || echo x > /proc/big || echo none")).stdout).toBe(
          "none\n",
        );
        expect((await sh(environment, "echo fine > /app/x && cat /app/x")).stdout).toBe("fine\n");
        // Programs start on a full disk, too.
        await sh(environment, "head -c 40000000 /dev/zero > /app/big");
        expect((await sh(environment, "echo still")).stdout).toBe("still\n");
        expect((await environment.changes()).map(({ path }) => path)).toEqual(["/app/big", "/app/x"]);
      });
    });
  });

  it("counts files in memory as files, not as memory of programs", async () => {
    await within("strict", { memory_mb: 96, disk_mb: 256 }, async (environment) => {
      const written = await sh(
        environment,
        "for i in 1 2 3 4; do head -c 50000000 /dev/zero > big$i || exit; sleep 0.3; done; x=$(head -c 20000000 /dev/zero | tr '\\0' x); echo ${#x}",
      );
      expect(written).toMatchObject({ code: 0, stdout: "20000000\n" });
    });
  });

  it("uses no more processor time than it is given", async () => {
    await within("strict", { cpus: 0.2 }, async (environment) => {
      if (!environment.facts.enforced.includes("cpus")) return;
      const { stdout } = await sh(
        environment,
        "begin=$EPOCHREALTIME; timeout 1 bash -c 'while :; do :; done'; echo $begin $EPOCHREALTIME; times | tail -n 1",
      );
      const [begin = 0, end = 0] = (stdout.split("\n")[0] ?? "").split(" ").map(Number);
      const [user = 0, system = 0] = [...stdout.matchAll(/0m([\d.]+)s/g)].map((found) => Number(found[1]));
      // A share of however long it took.
      expect((user + system) / (end - begin)).toBeLessThan(0.6);
    });
  });

  it("refuses a limit that is not above zero", async () => {
    await expect(machine.open("strict")({ options: { limits: { memory_mb: 0 } } })).rejects.toMatchObject({
      code: "ENVIRONMENT_UNAVAILABLE",
    });
    await expect(
      machine.open("strict")({ options: { limits: { disk_mb: Number.NaN } } }),
    ).rejects.toMatchObject({ code: "ENVIRONMENT_UNAVAILABLE" });
    expect(memoryOptions({ disk_mb: 10 })).toContain("size=10m");
  });
});
