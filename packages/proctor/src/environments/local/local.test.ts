import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../core/environment.ts";
import type { Environment } from "../../core/ports/environments.ts";
import { createLines } from "../../../test/support/environments/lines.ts";
import { gone, running, uniqueSeconds, until } from "../../../test/support/environments/running.ts";
import { environmentCases } from "../environment.case.ts";
import type { PreparedEnvironment } from "../provider.ts";
import { userName } from "./probe.ts";
import { createLocalProvider } from "./provider.ts";
import { HANG_MS } from "../../../test/support/eventually.ts";
import { moduleLiteral, scriptArgs } from "../../../test/support/source-script.ts";
import { preparedEnvironment } from "../../../test/support/environments/prepared.ts";

let stateDir = "";

beforeAll(async () => {
  stateDir = await mkdtemp(join(tmpdir(), "proctor-local-"));
});
afterAll(async () => {
  await rm(stateDir, { recursive: true, force: true });
});

function request(change: Partial<PreparedEnvironment>): PreparedEnvironment {
  return preparedEnvironment({ rootName: "host", ...change });
}

const open = (change: Partial<PreparedEnvironment> = {}): Promise<Environment> =>
  createLocalProvider({ stateDir }).open(request(change));

async function withOpen<T>(
  change: Partial<PreparedEnvironment>,
  use: (environment: Environment) => Promise<T>,
): Promise<T> {
  const environment = await open(change);
  try {
    return await use(environment);
  } finally {
    await environment.destroy();
  }
}

const sh = async (environment: Environment, script: string): Promise<string> =>
  (await environment.run({ command: ["bash", "-c", script], timeoutMs: HANG_MS })).stdout;

environmentCases("local", open, { isolated: false, leftovers: () => readdir(stateDir) });

describe("a local environment", () => {
  it("says that it is not isolated, and where it really is", async () => {
    await withOpen({ options: { limits: DEFAULT_LIMITS, network: "host" } }, async ({ facts, workdir }) => {
      expect(facts).toMatchObject({
        kind: "local",
        isolated: false,
        network: "host",
        root: "host",
        enforced: ["output_mb"],
      });
      expect(facts.notes[0]).toBe(`not isolated: commands run on this machine as ${userName()}`);
      expect(workdir.startsWith(stateDir)).toBe(true);
      expect((await stat(join(workdir, ".."))).mode & 0o777).toBe(0o700);
    });
  });

  it("has a home and a place for temporary files of its own", async () => {
    await withOpen({}, async (environment) => {
      expect(await sh(environment, "cd; pwd; dirname $(mktemp)")).toBe(
        `${environment.workdir}\n${join(environment.workdir, "../tmp")}\n`,
      );
      expect(await environment.changes()).toEqual([]);
    });
  });

  it.each([
    ["an image", { options: { image: "debian:12" } }],
    ["a build", { options: { build: "/somewhere" } }],
    ["layers", { layers: ["/somewhere"] }],
    ["a root", { options: { root: "/somewhere" } }],
    ["no network", { options: { network: "none" } }],
    ["hosts", { options: { allow_hosts: ["a.org"] } }],
    ["memory", { options: { limits: { memory_mb: 100 } } }],
    ["processors", { options: { limits: { ...DEFAULT_LIMITS, cpus: 1 } } }],
    ["users", { profile: "multi-user" }],
    ["another user", { user: "somebody-else" }],
    ["a file elsewhere", { options: { files: [{ source: "/etc/hosts", target: "/etc/elsewhere" }] } }],
    ["a file above it", { options: { files: [{ source: "/etc/hosts", target: "/app/../elsewhere" }] } }],
    ["a mount elsewhere", { mounts: [{ source: "/tmp", target: "/mnt/elsewhere" }] }],
    ["a mount in its own place", { mounts: [{ source: "/tmp", target: "/app" }] }],
  ] satisfies [string, Partial<PreparedEnvironment>][])(
    "refuses what it cannot give: %s",
    async (_, change) => {
      await expect(open(change)).rejects.toMatchObject({ code: "ENVIRONMENT_UNAVAILABLE" });
      expect(await readdir(stateDir)).toEqual([]);
    },
  );

  it("refuses a name that would lead elsewhere, and one that is taken", async () => {
    await expect(open({ id: "../x" })).rejects.toThrow("../x");
    await withOpen({ id: "taken" }, async (first) => {
      await expect(open({ id: "taken" })).rejects.toThrow("EEXIST");
      expect(await sh(first, "echo still here")).toBe("still here\n");
    });
  });

  it("runs programs as no other user", async () => {
    await withOpen({}, async (environment) => {
      const result = await environment.run({ command: ["true"], user: "somebody-else", timeoutMs: HANG_MS });
      expect(result).toMatchObject({ code: 126, stderr: expect.stringContaining("somebody-else") });
      expect(
        await environment.run({ command: ["true"], user: userName(), timeoutMs: HANG_MS }),
      ).toMatchObject({
        code: 0,
      });
    });
  });

  it("shows mounts as links, or leaves them where they are", async () => {
    const source = await mkdtemp(join(tmpdir(), "proctor-mount-"));
    await writeFile(join(source, "file"), "mounted");
    const mounts = [
      { source, target: "/app/lib/there", writable: true },
      { source, target: source },
    ];
    await withOpen({ mounts }, async (environment) => {
      expect(await sh(environment, `cat lib/there/file ${source}/file`)).toBe("mountedmounted");
      expect(await environment.changes()).toEqual([]);
    });
    expect(await readFile(join(source, "file"), "utf8")).toBe("mounted");
    await rm(source, { recursive: true });
  });

  it("takes the paths of the request and its own, and none that a link leads out of it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "proctor-out-"));
    await writeFile(join(folder, "in"), "x");
    await mkdir(join(folder, "out"));
    await withOpen({}, async (environment) => {
      await environment.copyIn(join(folder, "in"), "/app/a/b");
      await environment.copyIn(join(folder, "in"), join(environment.workdir, "c"));
      expect(await sh(environment, "cat a/b c; ")).toBe("xx");
      expect(await environment.run({ command: ["pwd"], cwd: "/app/a", timeoutMs: HANG_MS })).toMatchObject({
        stdout: `${environment.workdir}/a\n`,
      });
      await symlink(folder, join(environment.workdir, "trap"));
      for (const path of ["/app/trap/new", "/etc/new", "/app/../new", "relative"]) {
        await expect(environment.copyIn(join(folder, "in"), path)).rejects.toMatchObject({
          code: "ENVIRONMENT_UNAVAILABLE",
        });
        await expect(environment.copyOut(path, join(folder, "out"), { maxBytes: 100 })).rejects.toMatchObject(
          {
            code: "ENVIRONMENT_UNAVAILABLE",
          },
        );
      }
      expect((await readdir(folder)).sort()).toEqual(["in", "out"]);
      // A link in the place of a file is replaced, not followed.
      await symlink(join(folder, "in"), join(environment.workdir, "link"));
      await writeFile(join(folder, "other"), "y");
      await environment.copyIn(join(folder, "other"), "/app/link");
      expect(await readFile(join(folder, "in"), "utf8")).toBe("x");
    });
    await rm(folder, { recursive: true });
  });

  it("is removed together with directories that were made unreadable", async () => {
    await withOpen({}, (environment) => sh(environment, "mkdir -p a/b; touch a/b/c; chmod 000 a/b a"));
    expect(await readdir(stateDir)).toEqual([]);
  });

  it("is swept when its hub was killed, and left alone while the hub lives", async () => {
    const seconds = uniqueSeconds();
    const program = `
      const { createLocalProvider } = await import(${moduleLiteral("./provider.ts", import.meta.url)});
      const signal = new AbortController().signal;
      const environment = await createLocalProvider({ stateDir: ${JSON.stringify(stateDir)} }).open({
        ...${JSON.stringify(request({ id: "abandoned" }))}, signal });
      await environment.run({ command: ["bash", "-c", "setsid sleep ${seconds} > /dev/null 2>&1 & echo"], timeoutMs: ${HANG_MS} });
      console.log("up");
      setInterval(() => undefined, 1000);
    `;
    const hub = spawn(process.execPath, scriptArgs(program), {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = new Promise((resolve) => hub.once("exit", resolve));
    await createLines(hub.stdout).next();
    await until(() => running(seconds) === 1);
    const provider = createLocalProvider({ stateDir });
    await provider.sweep();
    expect(await readdir(stateDir)).toEqual([expect.stringMatching(/\.abandoned$/)]);
    hub.kill("SIGKILL");
    await ended;
    expect(running(seconds)).toBe(1);
    await provider.sweep();
    await gone(seconds);
    expect(await readdir(stateDir)).toEqual([]);
  });

  it("does not outlive a hub that ends without destroying it", async () => {
    const seconds = uniqueSeconds();
    const program = `
      const { createLocalProvider } = await import(${moduleLiteral("./provider.ts", import.meta.url)});
      const signal = new AbortController().signal;
      const environment = await createLocalProvider({ stateDir: ${JSON.stringify(stateDir)} }).open({
        ...${JSON.stringify(request({ id: "forgotten" }))}, signal });
      await environment.run({ command: ["bash", "-c", "setsid sleep ${seconds} > /dev/null 2>&1 & echo"], timeoutMs: ${HANG_MS} });
      process.exit(0);
    `;
    const hub = spawn(process.execPath, scriptArgs(program), {
      stdio: "inherit",
    });
    expect(await new Promise((resolve) => hub.once("exit", resolve))).toBe(0);
    await gone(seconds);
    await createLocalProvider({ stateDir }).sweep();
    expect(await readdir(stateDir)).toEqual([]);
  });

  it("reports what it can give", async () => {
    expect(await createLocalProvider({ stateDir }).probe()).toMatchObject({
      kind: "local",
      available: true,
      networks: ["host"],
      profiles: ["strict"],
    });
  });
});
