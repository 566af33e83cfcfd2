import { mkdtemp, rm } from "node:fs/promises";
import { hostname, release, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { PreparedEnvironment } from "../provider.ts";
import { engineAddresses } from "./engine-address.ts";
import { findEngine } from "./engine.ts";
import {
  sendJson,
  startFakeEngine,
  type FakeAnswer,
  type FakeEngine,
} from "../../../test/support/environments/fake-engine.ts";
import { createContainerProvider } from "./provider.ts";
import { preparedEnvironment } from "../../../test/support/environments/prepared.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function fake(answers: Record<string, FakeAnswer> = {}): Promise<FakeEngine> {
  const engine = await startFakeEngine(answers);
  closing.push(() => engine.close());
  return engine;
}

async function request(more: Partial<PreparedEnvironment> = {}): Promise<[PreparedEnvironment, string]> {
  const stateDir = await mkdtemp(join(tmpdir(), "proctor-engine-"));
  closing.push(() => rm(stateDir, { recursive: true, force: true }));
  return [preparedEnvironment({ id: "one", rootName: "an-image", image: "an-image", ...more }), stateDir];
}

async function openWith(engine: FakeEngine, more: Partial<PreparedEnvironment> = {}) {
  const [prepared, stateDir] = await request(more);
  return createContainerProvider({ stateDir, env: engine.env }).open(prepared);
}

describe("the search for an engine", () => {
  it("looks where DOCKER_HOST says, and nowhere else", () => {
    expect(engineAddresses({ DOCKER_HOST: "unix:///a b.sock", XDG_RUNTIME_DIR: "/run/user/1" })).toEqual([
      { name: "/a b.sock", socketPath: "/a b.sock" },
    ]);
    expect(engineAddresses({ DOCKER_HOST: "tcp://engine:2375" })).toEqual([{ name: "tcp://engine:2375" }]);
  });

  it("looks for Docker, then for the user's podman, then for the system's", () => {
    expect(
      engineAddresses({ DOCKER_HOST: " ", XDG_RUNTIME_DIR: "/run/user/1" }).map(
        ({ socketPath }) => socketPath,
      ),
    ).toEqual(["/var/run/docker.sock", "/run/user/1/podman/podman.sock", "/run/podman/podman.sock"]);
    expect(engineAddresses({})).toHaveLength(2);
  });

  it("says why there is none, and what to do", async () => {
    const found = await findEngine({ DOCKER_HOST: "unix:///nowhere/engine.sock" });
    expect(found).toMatchObject({
      reason: expect.stringContaining("/nowhere/engine.sock: ENOENT"),
      advice: [expect.stringContaining("DOCKER_HOST")],
    });
    const provider = createContainerProvider({
      stateDir: "/nowhere",
      env: { DOCKER_HOST: "unix:///nowhere/engine.sock" },
    });
    expect(await provider.probe()).toMatchObject({
      kind: "container",
      available: false,
      networks: [],
      detail: expect.stringContaining("ENOENT"),
    });
    await expect(provider.sweep()).resolves.toBeUndefined();
  });

  it("does not take another server for an engine", async () => {
    const other = await fake({ "GET /version": (_request, response) => response.end("<html>hello</html>") });
    expect(await findEngine(other.env)).toMatchObject({ reason: expect.stringContaining("no engine") });
  });

  it("knows Docker from podman, and this machine from another", async () => {
    const docker = await fake();
    expect(await findEngine(docker.env)).toMatchObject({
      name: "docker",
      version: "28.0.0",
      local: false,
      limits: { disk: false },
    });
    const podman = await fake({
      "GET /version": { Version: "5.1", Components: [{ Name: "Podman Engine" }] },
      "GET /info": {
        Name: hostname(),
        KernelVersion: release(),
        Driver: "overlay",
        DriverStatus: [["Backing Filesystem", "xfs"]],
        Rootless: true,
      },
    });
    expect(await findEngine(podman.env)).toMatchObject({
      name: "podman",
      local: true,
      rootless: true,
      limits: { memory: false, disk: true },
    });
  });
});

describe("an engine that refuses", () => {
  const image = { "GET /images/an-image/json": { Id: "sha256:1", Config: { Env: ["A=b=c"] } } };

  it("has no image, and cannot pull it", async () => {
    const engine = await fake({
      "POST /images/create": (_request, response) => {
        response.end(
          `${JSON.stringify({ status: "pulling" })}\n${JSON.stringify({ error: "no route to registry" })}\n`,
        );
      },
    });
    await expect(openWith(engine)).rejects.toMatchObject({
      code: "ENVIRONMENT_UNAVAILABLE",
      message: expect.stringMatching(/no image an-image.*no route to registry\n.*docker pull an-image/s),
    });
  });

  it("is asked again without a disk limit or init when it has none", async () => {
    const bodies: { HostConfig: Record<string, unknown>; Entrypoint: string[] }[] = [];
    const engine = await fake({
      ...image,
      "GET /info": { Driver: "overlay2", DriverStatus: [["Backing Filesystem", "xfs"]], MemoryLimit: true },
      "POST /containers/create": (_request, response, body) => {
        bodies.push(JSON.parse(body));
        const refusals = [
          "--storage-opt is supported only for overlay over xfs with 'pquota'",
          "container-init binary not found on the host",
          "no space",
        ];
        sendJson(response, 500, { message: refusals[bodies.length - 1] ?? "" });
      },
    });
    await expect(openWith(engine)).rejects.toThrow("no space");
    expect(
      bodies.map(({ HostConfig: { StorageOpt: disk, Init: init } }) => [disk !== undefined, init]),
    ).toEqual([
      [true, true],
      [false, true],
      [false, false],
    ]);
    expect(bodies[2]?.Entrypoint).toEqual(["/bin/sh"]);
    expect(bodies[0]?.HostConfig).toMatchObject({
      NetworkMode: "none",
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges"],
      Memory: 2048 * 1024 * 1024,
    });
  });

  it("cannot start the container, which is then removed", async () => {
    const engine = await fake({
      ...image,
      "POST /containers/create": { Id: "c1" },
      "POST /containers/c1/start": (_request, response) =>
        sendJson(response, 500, { message: "no such program: sleep" }),
      "DELETE /containers/c1": (_request, response) => response.writeHead(204).end(),
    });
    await expect(openWith(engine)).rejects.toMatchObject({
      code: "ENVIRONMENT_UNAVAILABLE",
      message: expect.stringContaining("no such program: sleep"),
    });
    expect(engine.requests.at(-1)).toBe("DELETE /containers/c1");
  });

  it("runs elsewhere, and so cannot mount or forward", async () => {
    const engine = await fake({ ...image });
    await expect(openWith(engine, { mounts: [{ source: "/tmp", target: "/x" }] })).rejects.toThrow(
      "runs on another machine",
    );
    expect(engine.requests).not.toContain("POST /containers/create");
    const forwarding = await fake({
      ...image,
      "POST /containers/create": { Id: "c1" },
      "POST /containers/c1/start": (_request, response) => response.writeHead(204).end(),
      "GET /containers/c1/json": { State: { Running: true, Pid: 1 } },
      "DELETE /containers/c1": (_request, response) => response.writeHead(204).end(),
    });
    await expect(openWith(forwarding, { ports: [80] })).rejects.toMatchObject({
      code: "ENVIRONMENT_UNAVAILABLE",
      message: expect.stringContaining("does not run its containers on this machine"),
    });
    expect(forwarding.requests).toContain("DELETE /containers/c1");
  });

  it("fails to build in Docker's words", async () => {
    const lines = [
      { stream: "Step 1/3 : FROM base\n" },
      { stream: "Step 2/3 : RUN make     all\n" },
      { stream: "make: *** No rule to make target 'all'.\n" },
      { error: "The command '/bin/sh -c make all' returned a non-zero code: 2", errorDetail: { code: 2 } },
    ];
    const engine = await fake({
      "POST /build": (_request, response) =>
        response.end(lines.map((line) => `${JSON.stringify(line)}\r\n`).join("")),
    });
    const dir = await mkdtemp(join(tmpdir(), "proctor-docker-build-"));
    closing.push(() => rm(dir, { recursive: true, force: true }));
    const { writeFile } = await import("node:fs/promises");
    await writeFile(
      join(dir, "Dockerfile"),
      "FROM base\n\n# why\nRUN make \\\n  # a comment within\n  all\n",
    );
    const { image: _image, ...bare } = (await request({ options: { build: dir } }))[0];
    await expect(
      createContainerProvider({ stateDir: dir, env: engine.env }).open(bare),
    ).rejects.toMatchObject({
      code: "BUILD_FAILED",
      message: expect.stringMatching(
        /Dockerfile:4 {2}RUN make all: .*non-zero code: 2\nmake: \*\*\* No rule/,
      ),
      details: { line: 4 },
    });
  });
});
