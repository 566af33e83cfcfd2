// What containers promise beyond what every environment does: limits, profiles, networks, mounts, and that nothing stays.
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Environment } from "../../core/ports/environments.ts";
import type { PreparedEnvironment } from "../provider.ts";
import { createContainerProvider } from "./provider.ts";
import { linkProgram } from "../../../test/support/bundle-program.ts";
import { startTestEngine, usedEngine } from "../../../test/support/environments/test-engine.ts";
import { HANG_MS } from "../../../test/support/eventually.ts";
import { preparedEnvironment } from "../../../test/support/environments/prepared.ts";

const engine = await startTestEngine();
const folder = await mkdtemp(join(tmpdir(), "proctor-containers-"));
const stateDir = join(folder, "state");

afterAll(async () => {
  if (!("reason" in engine)) await engine.stop();
  await rm(folder, { recursive: true, force: true });
});

describe.skipIf("reason" in engine)("containers", () => {
  const provider = createContainerProvider({ stateDir, ...("reason" in engine ? {} : { env: engine.env }) });
  const opened = new Set<Environment>();

  async function open(request: Partial<PreparedEnvironment> = {}): Promise<Environment> {
    const environment = await provider.open(
      preparedEnvironment({ image: usedEngine(engine).image, ...request }),
    );
    opened.add(environment);
    return environment;
  }

  const sh = (environment: Environment, script: string, timeoutMs = 20_000) =>
    environment.run({ command: ["bash", "-c", script], timeoutMs });

  afterAll(async () => {
    await Promise.all([...opened].map((environment) => environment.destroy()));
    expect(await usedEngine(engine).leftovers()).toEqual([]);
  });

  it("tells which engine it has, and what that can do", async () => {
    expect(await provider.probe()).toMatchObject({
      kind: "container",
      available: true,
      detail: expect.stringMatching(/^podman \d+\.\d+.* at \//),
      profiles: ["strict", "multi-user"],
      networks: ["none", "loopback", "allow-list", "host"],
      limits: expect.arrayContaining(["memory_mb", "processes"]),
    });
  });

  describe("attacked", () => {
    let environment: Environment;
    beforeAll(async () => {
      environment = await open({ options: { limits: { memory_mb: 128, processes: 60, cpus: 1 } } });
    });

    it("names the limits that hold", () => {
      expect(environment.facts.enforced).toEqual(["memory_mb", "processes", "cpus", "output_mb"]);
    });

    it("outlives a fork bomb, and ends it", async () => {
      const { timedOut } = await sh(environment, "bomb() { bomb | bomb & }; bomb; sleep 1000", 500);
      expect(timedOut).toBe(true);
      const { stdout } = await sh(environment, "echo alive");
      expect(stdout).toBe("alive\n");
    });

    it("kills what eats memory, and nothing else", async () => {
      const { code } = await sh(environment, "exec 2>&1; x=$(head -c 500000000 /dev/zero | tr '\\0' x)");
      expect(code).toBe(137);
      expect((await sh(environment, "echo alive")).stdout).toBe("alive\n");
    });

    it("has no network, no host files, and no privileges to get them", async () => {
      const { stdout } = await sh(
        environment,
        `cat /proc/net/route | wc -l; (echo > /dev/tcp/192.0.2.1/80) 2>/dev/null || echo unreachable
        ls ${folder} 2>/dev/null; ls /home /work 2>/dev/null
        mount -t tmpfs none /mnt 2>/dev/null || echo no mount; mknod /tmp/disk b 8 0 2>/dev/null || echo no device
        chown nobody /data/original.txt 2>/dev/null || echo no chown; grep NoNewPrivs /proc/self/status`,
      );
      expect(stdout.replaceAll("\t", " ")).toBe(
        "1\nunreachable\nno mount\nno device\nno chown\nNoNewPrivs: 1\n",
      );
    });
  });

  it("lets several users work in the profile multi-user, and mounts and devices in none", async () => {
    const environment = await open({ profile: "multi-user" });
    const { stdout } = await sh(
      environment,
      `touch mine; chown nobody mine; stat -c %U mine; su nobody -s /bin/sh -c id 2>&1 | cut -d' ' -f1
      mount -t tmpfs none /mnt 2>/dev/null || echo no mount; mknod /tmp/disk b 8 0 2>/dev/null || echo no device`,
    );
    // This image has no configuration of PAM, which su asks before it does anything.
    expect(stdout.replace(/^su:.*$/m, "uid=65534(nobody)")).toBe(
      "nobody\nuid=65534(nobody)\nno mount\nno device\n",
    );
    const other = await environment.run({ command: ["id", "-u"], user: "nobody", timeoutMs: HANG_MS });
    expect(other.stdout).toBe("65534\n");
  });

  it("signals programs of other users, too", async () => {
    const environment = await open({ profile: "multi-user", user: "nobody" });
    const { timedOut, code } = await environment.run({ command: ["sleep", "1000"], timeoutMs: 200 });
    expect({ timedOut, code }).toEqual({ timedOut: true, code: 124 });
  });

  it("can be written nowhere but in /tmp and in what is mounted for it", async () => {
    const given = join(folder, "given");
    const kept = join(folder, "kept: and colons");
    await mkdir(given);
    await mkdir(kept);
    await writeFile(join(given, "read"), "read me\n");
    const environment = await open({
      readOnly: true,
      options: { limits: { disk_mb: 4 } },
      mounts: [
        { source: given, target: "/given" },
        { source: kept, target: "/kept", writable: true },
      ],
    });
    const places = ["/x", "/app/x", "/etc/x", "/run/x", "/var/tmp/x", "/given/x", "/tmp/x", "/kept/x"];
    const { stdout } = await sh(
      environment,
      `for f in ${places.join(" ")}; do (echo 1 > $f) 2>/dev/null && echo $f; done; cat /given/read`,
    );
    expect(stdout).toBe("/tmp/x\n/kept/x\nread me\n");
    expect(await readFile(join(kept, "x"), "utf8")).toBe("1\n");
    expect(environment.facts.enforced).toContain("disk_mb");
    expect((await sh(environment, "head -c 9000000 /dev/zero > /tmp/big")).code).not.toBe(0);
    expect(await environment.changes()).toEqual([]);
  });

  it("copies in and out where it cannot be written", async () => {
    const source = join(folder, "source");
    await mkdir(join(source, "a"), { recursive: true });
    await writeFile(join(source, "a/b"), "content");
    const environment = await open({ readOnly: true, options: { files: [{ source, target: "/tmp/in" }] } });
    expect((await sh(environment, "cat /tmp/in/a/b; ln -s /etc /tmp/in/link")).stdout).toBe("content");
    const target = join(folder, "target");
    await mkdir(target);
    expect(await environment.copyOut("/tmp/in", target, { maxBytes: 100 })).toEqual({
      files: 1,
      bytes: 7,
      leftOut: ["link: a link"],
    });
    expect(await readdir(target, { recursive: true })).toEqual(["a", "a/b"]);
    await expect(environment.copyOut("/tmp/nothing", target, { maxBytes: 100 })).rejects.toThrow(
      "no /tmp/nothing",
    );
    await expect(environment.copyIn(source, "/etc/in")).rejects.toThrow("Read-only");
  });

  it("reaches the ports it is given, and a server of the container whose network it joins", async () => {
    const server = createServer((_request, response) => response.end("from the hub"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    const get = `exec 3<>/dev/tcp/127.0.0.1/${port}; printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3; tail -n 1 <&3`;
    try {
      const first = await open({ ports: [port], options: { network: "loopback" } });
      expect((await sh(first, get)).stdout).toBe("from the hub");
      const second = await open({ ports: [port], network: { ...first } });
      expect((await sh(second, get)).stdout).toBe("from the hub");
      const alone = await open();
      expect((await sh(alone, get)).code).not.toBe(0);
      await Promise.all([second.destroy(), first.destroy()]);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it("knows what became of the image's own files", async () => {
    const environment = await open();
    await sh(
      environment,
      "rm -r /data && mkdir /data && echo new > /data/new; mkdir /var/x && rmdir /var/x; chmod 700 /usr; echo more >> /etc/group",
    );
    expect(await environment.changes()).toEqual([
      { path: "/data/more", change: "removed", type: "directory" },
      { path: "/data/more/deep.txt", change: "removed", type: "file" },
      { path: "/data/new", change: "added", type: "file", size_bytes: 4, mode: 0o644 },
      { path: "/data/original.txt", change: "removed", type: "file" },
      expect.objectContaining({ path: "/etc/group", change: "modified", type: "file" }),
      { path: "/usr", change: "modified", type: "directory", mode: 0o700 },
    ]);
    const restored = await open({ restore: environment.snapshot({ maxBytes: 1e6 }) });
    expect((await sh(restored, "ls -A /data; tail -n 1 /etc/group; stat -c %a /usr")).stdout).toBe(
      "new\nmore\n700\n",
    );
  });

  it("refuses what it cannot give", async () => {
    await expect(open({ layers: ["/somewhere"] })).rejects.toThrow("not of directories");
    const other = { ...(await open()), facts: { ...[...opened][0]!.facts } };
    await expect(open({ network: other })).rejects.toThrow("another container only");
    await expect(open({ readOnly: true, restore: other.snapshot({ maxBytes: 1 }) })).rejects.toThrow(
      "cannot begin with a snapshot",
    );
    await expect(
      open({ workdir: "/app", user: "nobody-knows" }).then((it) => sh(it, "true")),
    ).resolves.toMatchObject({ code: 126 });
  });

  it("sweeps the containers of a hub that was killed, and none of one that lives", async () => {
    const { env, image, docker } = usedEngine(engine);
    const living = await open();
    const source = new URL("../../../test/support/environments/killed-container-hub.ts", import.meta.url);
    const program = await linkProgram(fileURLToPath(source));
    const hub = spawn(process.execPath, [program, stateDir, image], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((resolve, reject) => {
      hub.stdout.once("data", resolve);
      hub.once("exit", (code) => reject(new Error(`the hub ended with ${code}`)));
    });
    const ours = (): Promise<unknown[]> =>
      docker.listContainers({ all: true, filters: { label: ["proctor.id=left-behind"] } });
    expect(await ours()).toHaveLength(1);
    await provider.sweep();
    expect(await ours()).toHaveLength(1);
    hub.kill("SIGKILL");
    await new Promise((resolve) => hub.once("exit", resolve));
    const before = await readdir(stateDir);
    await provider.sweep();
    expect(await ours()).toEqual([]);
    expect(before.filter((name) => name.endsWith(".left-behind"))).toHaveLength(1);
    expect((await readdir(stateDir)).filter((name) => name.endsWith(".left-behind"))).toEqual([]);
    expect((await sh(living, "echo alive")).stdout).toBe("alive\n");
  });
});
