// An environment over the files of another: whatever was written there is there, and the system is the root's again where that is asked.
import { writeFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Profile } from "../../core/environment.ts";
import type { Environment } from "../../core/ports/environments.ts";
import { describeBwrap } from "../../../test/support/environments/bwrap-machine.ts";

const TIMEOUT_MS = 60_000;

await describeBwrap("a bwrap environment over another one", (machine) => {
  const opened: Environment[] = [];
  afterEach(async () => {
    for (const environment of opened.splice(0).toReversed()) await environment.destroy();
  });

  async function open(
    request: Parameters<ReturnType<typeof machine.open>>[0] = {},
    profile: Profile = "multi-user",
  ): Promise<Environment> {
    const environment = await machine.open(profile)(request);
    opened.push(environment);
    return environment;
  }

  async function sh(environment: Environment, script: string): Promise<string> {
    const { stdout, stderr } = await environment.run({
      command: ["bash", "-c", script],
      timeoutMs: TIMEOUT_MS,
    });
    return stdout + stderr;
  }

  /** What `script` leaves, as tests find it. */
  async function judgedAfter(script: string, as: "restored" | "as-left" = "restored", profile?: Profile) {
    const agent = await open({}, profile);
    await sh(agent, script);
    return open({ over: agent, untracked: true, restoreSystem: as === "restored" }, profile);
  }

  it("sees all that was written up to the limit, and has room of its own", async () => {
    const limits = { disk_mb: 48 };
    const agent = await open({ options: { limits } });
    expect(await sh(agent, "head -c 100M /dev/zero > big; ls -l big | wc -l")).toContain(
      "No space left on device",
    );
    const size = await sh(agent, "stat -c %s big");
    const second = await open({ over: agent, untracked: true, restoreSystem: true, options: { limits } });
    expect(await sh(second, "stat -c %s big; head -c 30M /dev/zero > mine && stat -c %s mine")).toBe(
      `${size}31457280\n`,
    );
    expect(second.facts.notes.join()).toContain("used up its disk (disk_mb: 48)");
  });

  it("begins without a copy, and is gone without a trace", async () => {
    const agent = await open({ options: { limits: { disk_mb: 512 } } });
    await sh(agent, "head -c 300M /dev/zero > big");
    const options = { limits: { disk_mb: 8 } };
    const second = await open({ over: agent, untracked: true, restoreSystem: true, options });
    expect(await sh(second, "stat -c %s big")).toBe("314572800\n");
    for (const environment of opened.splice(0).toReversed()) await environment.destroy();
    expect(await machine.leftovers()).toEqual([]);
  });

  it("clears the way for mounts, and makes a directory to start in", async () => {
    const folder = mkdtempSync(join(tmpdir(), "proctor-over-"));
    try {
      writeFileSync(join(folder, "tool"), "mounted");
      const agent = await open();
      await sh(agent, "cd /; rm -rf /run /app; ln -s /tmp /run; ln -s /nowhere /app");
      const mounts = [{ source: folder, target: "/run/proctor/tools" }];
      const second = await open({ over: agent, untracked: true, restoreSystem: true, mounts });
      expect(await sh(second, "cat /run/proctor/tools/tool; pwd")).toBe("mounted/app\n");
      const kept = await open({ restore: agent.snapshot({ maxBytes: 1e8 }), restoreSystem: true, mounts });
      expect(await sh(kept, "cat /run/proctor/tools/tool; pwd")).toBe("mounted/app\n");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  describe("with the system restored", () => {
    const fake = (path: string): string =>
      `rm -f ${path}; printf '#!/bin/sh\\necho fooled\\n' > ${path}; chmod 755 ${path}`;
    const SITE = "$(python3 -c 'import sysconfig; print(sysconfig.get_paths()[\"purelib\"])')";

    it.each([
      ["cat", fake("/usr/bin/cat"), "echo real | cat", ["/usr/bin/cat"]],
      ["program before it in PATH", fake("/usr/local/bin/cat"), "echo real | cat", ["/usr/local/bin/cat"]],
      [
        "bash",
        `cp /bin/bash /tmp/b; ${fake("/usr/bin/bash").replace("/bin/sh", "/bin/dash")}`,
        "bash -c 'echo real'",
        ["/usr/bin/bash"],
      ],
      [
        "program of a home directory",
        `mkdir -p /root/.local/bin; ${fake("/root/.local/bin/uvx")}`,
        "test -e /root/.local/bin/uvx || echo real",
        ["/root/.local/bin/uvx"],
      ],
      [
        "start file of the shell",
        "echo 'echo fooled' >> /etc/profile; echo 'echo fooled' > /root/.bash_profile",
        "bash -lc 'echo real'",
        ["/etc/profile", "/root/.bash_profile"],
      ],
      [
        "ld.so.preload",
        "echo /app/evil.so > /etc/ld.so.preload",
        "echo real; cat /etc/ld.so.preload 2>/dev/null",
        ["/etc/ld.so.preload"],
      ],
      [
        "library",
        "lib=$(ldd /bin/bash | grep -o '/[^ ]*libc.so.6'); lib=$(realpath $lib); cp $lib /tmp/c; mv /tmp/c $lib; echo $lib > /app/lib",
        "echo real",
        [expect.stringMatching(/libc\.so\.6$/)],
      ],
    ] as const)(
      "does not use what the agent put in place of the system's: %s",
      async (_, script, look, restored) => {
        const judged = await judgedAfter(script);
        expect(await sh(judged, look)).toBe("real\n");
        expect(judged.facts["restored"]).toEqual(restored);
      },
    );

    it.each([
      ["python3", fake("$(realpath /usr/bin/python3)"), "python3 -c 'print(\"real\")'"],
      [
        "sitecustomize",
        `mkdir -p ${SITE}; echo 'print("fooled")' > ${SITE}/sitecustomize.py`,
        "python3 -c 'print(\"real\")'",
      ],
      [
        "module of the standard library",
        "echo 'print(\"fooled\")' >> $(python3 -c 'import json; print(json.__file__)')",
        "python3 -c 'import json; print(\"real\")'",
      ],
      [
        "module before the packages",
        "touch $(python3 -c 'import os; print(os.path.dirname(os.__file__))')/numpy.py",
        'python3 -c \'import os; print("fooled" if os.path.exists(os.path.dirname(os.__file__) + "/numpy.py") else "real")\'',
      ],
      [
        "code in a .pth file",
        `mkdir -p ${SITE}; echo 'import sys; print("fooled")' > ${SITE}/x.pth`,
        "python3 -c 'print(\"real\")'",
      ],
      [
        "pytest",
        `mkdir -p ${SITE}/_pytest ${SITE}/pytest; echo 'print("fooled")' > ${SITE}/pytest/__init__.py`,
        `test -e ${SITE}/pytest || echo real`,
      ],
      [
        "plugin of pytest",
        `mkdir -p ${SITE}/evil-1.dist-info; printf '[pytest11]\\nevil = evil\\n' > ${SITE}/evil-1.dist-info/entry_points.txt; echo 'print("fooled")' > ${SITE}/evil.py`,
        `test -e ${SITE}/evil-1.dist-info/entry_points.txt || echo real`,
      ],
      [
        "conftest.py above the tests",
        "echo 'print(\"fooled\")' > /conftest.py",
        "test -e /conftest.py || echo real",
      ],
    ] as const)("does not use what the agent put in place of the system's: %s", async (_, script, look) => {
      const judged = await judgedAfter(script);
      expect(await sh(judged, look)).toBe("real\n");
      expect(judged.facts["restored"]).not.toBeUndefined();
    });

    it("still judges where the agent removed the system", async () => {
      const judged = await judgedAfter(
        "echo work > work; rm -rf /usr/sbin /usr/local; ln -s /app /usr/local",
      );
      expect(await sh(judged, "cat work; ls /usr/sbin/ldconfig; stat -c %F /usr/local")).toBe(
        "work\n/usr/sbin/ldconfig\ndirectory\n",
      );
    });

    it("keeps what the agent was asked for", async () => {
      const judged = await judgedAfter(
        [
          `mkdir -p ${SITE}/mine ${SITE}/mine-1.0.dist-info /app/.venv/lib/python3.11/site-packages/pytest`,
          `echo 'X = "installed"' > ${SITE}/mine/__init__.py; echo /app/src > ${SITE}/__editable__.mine.pth`,
          `printf '[console_scripts]\\nmine = mine:main\\n' > ${SITE}/mine-1.0.dist-info/entry_points.txt`,
          "printf '#!/bin/sh\\necho built\\n' > /usr/local/bin/povray; chmod 755 /usr/local/bin/povray",
          "echo setting > /etc/my-service.conf; echo lib > /usr/local/lib/libmine.so.1; echo note > /root/note",
          "mkdir -p /opt/tool/bin; echo x > /opt/tool/bin/run; ldconfig",
        ].join("; "),
      );
      const look =
        "python3 -c 'import mine; print(mine.X)'; povray; cat /etc/my-service.conf /usr/local/lib/libmine.so.1 /root/note /opt/tool/bin/run; ls /app/.venv/lib/python3.11/site-packages";
      expect(await sh(judged, look)).toBe("installed\nbuilt\nsetting\nlib\nnote\nx\npytest\n");
      expect(judged.facts).not.toHaveProperty("restored");
    });

    it("leaves the system as the agent left it when asked to", async () => {
      const judged = await judgedAfter(fake("/usr/bin/cat"), "as-left");
      expect(await sh(judged, "cat x")).toBe("fooled\n");
      expect(judged.facts).not.toHaveProperty("restored");
    });

    it("restores the system over a snapshot, too", async () => {
      const agent = await open();
      await sh(agent, `${fake("/usr/bin/cat")}; echo '/x' > /etc/ld.so.preload`);
      const judged = await open({
        restore: agent.snapshot({ maxBytes: 1e8 }),
        untracked: true,
        restoreSystem: true,
      });
      expect(await sh(judged, "echo real | cat")).toBe("real\n");
      expect(judged.facts["restored"]).toEqual(["/etc/ld.so.preload", "/usr/bin/cat"]);
    });
  });
});
