// Builds with a real engine, where there is one.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { running, uniqueSeconds } from "../../../test/support/environments/running.ts";
import { buildWithEngine } from "./build-with-engine.ts";
import { findEngine, type Engine } from "./engine.ts";
import { createContainerProvider } from "./provider.ts";
import { startTestEngine, usedEngine } from "../../../test/support/environments/test-engine.ts";
import { HANG_MS } from "../../../test/support/eventually.ts";
import { preparedEnvironment } from "../../../test/support/environments/prepared.ts";

const engine = await startTestEngine();
const folder = await mkdtemp(join(tmpdir(), "proctor-build-"));

afterAll(async () => {
  if (!("reason" in engine)) await engine.stop();
  await rm(folder, { recursive: true, force: true });
});

describe.skipIf("reason" in engine)("a build", () => {
  let count = 0;

  async function context(files: Record<string, string>): Promise<string> {
    const dir = join(folder, `context ${++count}`);
    for (const [name, content] of Object.entries(files)) {
      await mkdir(join(dir, name, ".."), { recursive: true });
      await writeFile(join(dir, name), content);
    }
    return dir;
  }

  // Once: podman asks the system's package manager a dozen questions whenever it is asked what it is.
  let found: Promise<Engine> | undefined;
  const connected = (): Promise<Engine> => (found ??= connect());

  async function connect(): Promise<Engine> {
    const answer = await findEngine(usedEngine(engine).env);
    if ("reason" in answer) throw new Error(answer.reason);
    return answer;
  }

  const FROM = "FROM docker.io/library/proctor-test\n";
  const build = async (dir: string, signal = new AbortController().signal, timeoutMs = 60_000) =>
    buildWithEngine(await connected(), { dir, timeoutMs, signal });

  it("becomes an environment with the image's directory, variables and user", async () => {
    const dir = await context({
      Dockerfile: `${FROM}ENV COLOR=red\nWORKDIR /srv/task\nCOPY . .\nRUN ls -A > list\nUSER nobody\n`,
      ".dockerignore": "secret*\n!secret-but-wanted\n",
      secret: "1",
      "secret-but-wanted": "1",
      "deep/file": "1",
    });
    const stateDir = join(folder, "state");
    const provider = createContainerProvider({ stateDir, env: usedEngine(engine).env });
    const environment = await provider.open(
      preparedEnvironment({ id: "built", options: { build: dir }, rootName: "host" }),
    );
    try {
      const { stdout } = await environment.run({
        command: ["bash", "-c", "pwd; id -un; echo $COLOR; sort list"],
        timeoutMs: HANG_MS,
      });
      expect(stdout.split("\n")).toEqual([
        "/srv/task",
        "nobody",
        "red",
        ".dockerignore",
        "Dockerfile",
        "deep",
        "list",
        "secret-but-wanted",
        "",
      ]);
      expect(environment.facts).toMatchObject({
        workdir: "/srv/task",
        root: expect.stringMatching(/^build:[0-9a-f]{12}$/),
      });
    } finally {
      await environment.destroy();
    }
  });

  it("has no network for what it runs, and is built only once", async () => {
    const alone = "tail -n +3 /proc/net/dev | grep -v lo: || echo alone > /alone";
    const dir = await context({
      Dockerfile: `${FROM}RUN ${alone}; date +%N > /made\nRUN cat /alone\n`,
    });
    const first = await build(dir);
    expect(first).toMatchObject({ id: expect.any(String) });
    expect((await build(dir)).id).toBe(first.id);
  });

  it("says which line failed, and what it had written", async () => {
    const dir = await context({
      Dockerfile: `# first\n${FROM}RUN true\n\nRUN echo some words; \\\n    exit 7\nRUN echo never\n`,
    });
    await expect(build(dir)).rejects.toMatchObject({
      code: "BUILD_FAILED",
      message: expect.stringMatching(
        /context \d\/Dockerfile:5 {2}RUN echo some words;\s+exit 7: .*7[^]*some words/,
      ),
      details: { line: 5 },
    });
  });

  it("says which line cannot be understood, and that there is none at all", async () => {
    const dir = await context({ Dockerfile: `${FROM}\nFETCH something\n` });
    await expect(build(dir)).rejects.toMatchObject({
      code: "BUILD_FAILED",
      message: expect.stringMatching(/Dockerfile.*FETCH/i),
    });
    await expect(build(await context({ other: "" }))).rejects.toMatchObject({
      code: "BUILD_FAILED",
      message: expect.stringContaining("cannot be read"),
    });
  });

  it("ends at its time limit, and when its caller stops, with all that it ran", async () => {
    const seconds = uniqueSeconds();
    const dir = await context({ Dockerfile: `${FROM}RUN sleep ${seconds}\n` });
    await expect(build(dir, new AbortController().signal, 1500)).rejects.toMatchObject({
      code: "BUILD_FAILED",
      message: expect.stringContaining("more than 1.5 s"),
    });
    const stop = new AbortController();
    const building = build(dir, stop.signal);
    setTimeout(() => stop.abort(new Error("enough")), 700);
    await expect(building).rejects.toThrow("enough");
    expect(running(seconds)).toBe(0);
  });
});
