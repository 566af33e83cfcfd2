// A container engine for tests: a podman service of our own, with storage of its own, and one small image made of this machine's programs.
// Where there is none, the reason.
import { execFile, spawn } from "node:child_process";
import { access, mkdtemp, readdir, readFile, realpath, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import Docker from "dockerode";
import { reasonOf } from "../../../src/environments/container/engine.ts";
import { removeContainer } from "../../../src/environments/container/remove-container.ts";
import { packArchive } from "../../../src/runtime/archive/pack-archive.ts";

const run = promisify(execFile);

export interface TestEngine {
  docker: Docker;
  /** For a provider, so that it finds this engine. */
  env: NodeJS.ProcessEnv;
  image: string;
  /** Containers of ours, and processes that an engine keeps for them. */
  leftovers(): Promise<string[]>;
  stop(): Promise<void>;
}

/** For tests that are skipped where there is none. */
export function usedEngine(engine: TestEngine | { reason: string }): TestEngine {
  if ("reason" in engine) throw new Error(engine.reason);
  return engine;
}

const PROGRAMS =
  `bash sh cat chmod chown cp cut date dd df env false find grep head id kill ln ls mkdir mkfifo mknod mount mv nohup od printf ps
readlink rm rmdir sed seq setsid sleep sort stat stty su tail tar tee timeout touch tr true tty uname wc xargs yes`.split(
    /\s+/,
  );

/** One line is printed when there is no engine: tests that need one are skipped. */
export async function startTestEngine(): Promise<TestEngine | { reason: string }> {
  const engine = await start();
  if ("reason" in engine) process.stdout.write(`skipped: containers: ${engine.reason}\n`);
  return engine;
}

async function start(): Promise<TestEngine | { reason: string }> {
  if ((await which("podman")) === undefined) return { reason: "podman is not installed" };
  if (process.getuid?.() !== 0) return { reason: "podman of its own needs root" };
  const dir = await mkdtemp(join(tmpdir(), "proctor-podman-"));
  const runtime = (await which("runc")) === undefined ? 'cgroups="disabled"' : "";
  await writeFile(
    join(dir, "containers.conf"),
    `[containers]\ndefault_ulimits=["nofile=1024:1024","nproc=4096:4096"]\n${runtime}\n[engine]\n` +
      `${runtime === "" ? 'runtime="runc"' : ""}\ncgroup_manager="cgroupfs"\nevents_logger="none"\n` +
      `tmp_dir="${dir}/tmp"\nstatic_dir="${dir}/static"\nvolume_path="${dir}/volumes"\n[network]\nnetwork_config_dir="${dir}/networks"\n`,
  );
  await writeFile(
    join(dir, "storage.conf"),
    `[storage]\ndriver="overlay"\ngraphroot="${dir}/graph"\nrunroot="${dir}/run"\n`,
  );
  const socketPath = join(dir, "podman.sock");
  // It goes when we go: our end of its input closes.
  const script = 'podman system service --time=0 "$1" & read -r _; kill $!; wait';
  const service = spawn("sh", ["-c", script, "sh", `unix://${socketPath}`], {
    // An engine leaves a file named "oom" where it was started when a container runs out of memory.
    cwd: dir,
    stdio: ["pipe", "ignore", "ignore"],
    env: {
      ...process.env,
      CONTAINERS_CONF: join(dir, "containers.conf"),
      CONTAINERS_STORAGE_CONF: join(dir, "storage.conf"),
    },
  });
  const ended = new Promise((resolve) => service.once("exit", resolve));
  const docker = new Docker({ socketPath });

  async function leftovers(): Promise<string[]> {
    const containers = await docker.listContainers({ all: true, filters: { label: ["proctor.id"] } });
    const { stdout } = await run("ps", ["-eo", "args"]);
    return [
      ...containers.map(({ Names: names }) => names.join()),
      ...stdout.split("\n").filter((line) => line.includes("conmon") && line.includes(dir)),
    ];
  }

  async function stop(): Promise<void> {
    const left = await docker.listContainers({ all: true }).catch(() => []);
    await Promise.all(left.map(({ Id: id }) => docker.getContainer(id).remove({ force: true, v: true })));
    service.stdin.end();
    await ended;
    await removeGroups();
    // Lazily: what the engine was still building may have its folder open for a moment longer.
    await run("umount", ["--recursive", "--lazy", join(dir, "graph", "overlay")]).catch(() => undefined);
    await rm(dir, { recursive: true, force: true });
  }

  try {
    await answers(docker);
    const image = await importImage(docker);
    // Some machines have an engine that cannot start anything.
    const container = await docker.createContainer({
      Image: image,
      Cmd: ["true"],
      HostConfig: { NetworkMode: "none" },
    });
    await container.start();
    // Its end is not waited for: podman would spin for twenty seconds when it misses it.
    await removeContainer({ docker, name: "podman", local: true }, container.id);
    return { docker, env: { DOCKER_HOST: `unix://${socketPath}` }, image, leftovers, stop };
  } catch (error) {
    await stop().catch(() => undefined);
    return { reason: `podman does not work here: ${reasonOf(error)}` };
  }
}

/** What podman makes for all of its containers; another engine's is not empty, and stays. */
async function removeGroups(): Promise<void> {
  const root = "/sys/fs/cgroup";
  const controllers = ["", ...(await readdir(root).catch(() => []))];
  for (const controller of controllers) {
    for (const group of ["libpod_parent/conmon", "libpod_parent"]) {
      await rmdir(join(root, controller, group)).catch(() => undefined);
    }
  }
}

async function answers(docker: Docker): Promise<void> {
  for (let left = 100; ; left--) {
    try {
      await docker.ping();
      return;
    } catch (error) {
      if (left === 0) throw error;
      await pause(50);
    }
  }
}

async function importImage(docker: Docker): Promise<string> {
  const answer = await docker.importImage(await packRoot(), { repo: "proctor-test" });
  let text = "";
  for await (const piece of answer) text += String(piece);
  const id = /sha256:[0-9a-f]{64}/.exec(text)?.[0];
  if (id === undefined) throw new Error(`no image: ${text}`);
  return id;
}

async function packRoot(): Promise<Readable> {
  const found = await Promise.all(PROGRAMS.map(async (name) => [name, await which(name)] as const));
  const programs = found.flatMap(([name, path]) => (path === undefined ? [] : [[name, path] as const]));
  const { stdout } = await run(
    "ldd",
    programs.map(([, path]) => path),
  ).catch((error: { stdout: string }) => error);
  const libraries = new Set([...stdout.matchAll(/(?:=> |^\s+)(\/\S+) \(/gm)].map(([, path]) => path ?? ""));
  const files: [name: string, content: string | Buffer][] = [
    ["etc/passwd", "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534:nobody:/:/bin/sh\n"],
    ["etc/group", "root:x:0:\nnogroup:x:65534:\n"],
    ["data/original.txt", "original\n"],
    ["data/more/deep.txt", "deep\n"],
  ];
  for (const [name, path] of programs) files.push([`bin/${name}`, await readFile(path)]);
  for (const path of libraries) files.push([path.slice(1), await readFile(path)]);
  return packArchive(async (root) => {
    for (const name of ["etc", "root", "usr", "data", "data/more", "var"])
      await root.add({ name, type: "directory", mode: 0o755 });
    await root.add({ name: "tmp", type: "directory", mode: 0o1777 });
    for (const [name, content] of files) {
      const bytes = Buffer.from(content);
      const header = {
        name,
        type: "file",
        mode: name.includes("txt") ? 0o644 : 0o755,
        size: bytes.length,
      } as const;
      await root.addFile(header, Readable.from([bytes]));
    }
  });
}

async function which(name: string): Promise<string | undefined> {
  for (const dir of [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/sbin"]) {
    const path = join(dir, name);
    try {
      await access(path, 1);
      return await realpath(path);
    } catch {
      continue;
    }
  }
  return undefined;
}
