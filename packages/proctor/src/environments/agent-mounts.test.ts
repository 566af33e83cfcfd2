import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AgentSpec } from "../core/agent.ts";
import { agentMounts, agentPath } from "./agent-mounts.ts";

let base: string;
let home: string;
let work: string;
const before = process.env["HOME"];

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "proctor-mounts-")));
  home = join(base, "home");
  work = join(base, "work/run-1");
  await mkdir(work, { recursive: true });
  process.env["HOME"] = home;
  await program(".pyenv/versions/3.12.1/bin/python3.12");
  await link("python3.12", ".pyenv/versions/3.12.1/bin/python3");
  await program(".pyenv/shims/python", "#!/usr/bin/env bash\n");
  await link(join(home, ".pyenv/versions/3.12.1/bin/python3"), "project/.venv/bin/python");
  await program(".local/bin/tool");
  await program(".local/lib/tool.so");
  await program("tool");
  await program("tools/agent");
  await program(".nvm/versions/node/v20/bin/node");
  await link(join(home, ".nvm/versions/node/v20"), ".nvm/current");
  await program("project/agent/start", "#!/usr/bin/env -S node --flag\n");
  await program("project/agent/lib/part.py");
  await program("project/.proctor/seal.key");
  await program("project/data/artifacts/a");
  await program("project/data/public");
  await link(".proctor", "project/shortcut");
  await link("agent", "project/other-name");
  await link("/etc", "project/out");
});
afterAll(async () => {
  process.env["HOME"] = before;
  await rm(base, { recursive: true, force: true });
});

async function program(path: string, text = ""): Promise<void> {
  await mkdir(dirname(join(home, path)), { recursive: true });
  await writeFile(join(home, path), text);
  await chmod(join(home, path), 0o755);
}

async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(join(home, path)), { recursive: true });
  await symlink(target, join(home, path));
}

function agent(command: string[], more: Partial<AgentSpec> = {}, path: string[] = []): AgentSpec {
  const folders = [...path.map((folder) => join(home, folder)), "/usr/bin", "/bin"];
  return { protocol: "atp", transport: "stdio", command, env: { PATH: folders.join(":") }, ...more };
}

/** Relative to the home; with `>` where the place inside is another one, and `!` where it can be written. */
async function shown(spec: AgentSpec, workspace?: string, hidden?: string[]): Promise<string[]> {
  const short = (path: string): string => path.replace(`${home}/`, "~/").replace(work, "WORK");
  return (await agentMounts(spec, workspace, hidden)).map(({ source, target, writable }) => {
    const way = source === target ? short(source) : `${short(source)} > ${short(target)}`;
    return writable === true ? `${way} !` : way;
  });
}

describe("an agent's program", () => {
  it("needs no mount when it belongs to the system", async () => {
    expect(await shown(agent(["sh", "agent.sh"]))).toEqual([]);
    expect(agentPath(agent(["sh", "agent.sh"]))).toEqual([]);
  });

  it.each([
    [["python3"], [".pyenv/versions/3.12.1/bin"], ["~/.pyenv/versions/3.12.1"]],
    [["python"], [".pyenv/shims"], ["~/.pyenv"]],
    [["python"], ["project/.venv/bin"], ["~/.pyenv/versions/3.12.1", "~/project/.venv"]],
    [["tool"], [".local/bin"], ["~/.local/bin", "~/.local/lib"]],
    [["agent"], ["tools"], ["~/tools"]],
    [
      ["node"],
      [".nvm/current/bin"],
      ["~/.nvm/versions/node/v20 > ~/.nvm/current", "~/.nvm/versions/node/v20"],
    ],
    [["no-such-program"], ["tools"], []],
    [[], [], []],
  ])("%j in %j is seen with what it is installed with: %j", async (command, path, places) => {
    expect(await shown(agent(command, {}, path))).toEqual(places);
  });

  it("is mounted alone when it stands in a home directory", async () => {
    expect(await shown(agent([join(home, "tool")]))).toEqual(["~/tool"]);
  });

  it("that is a script is seen with the interpreter that its first line names", async () => {
    const spec = agent(["./start"], { cwd: join(home, "project/agent") }, [".nvm/versions/node/v20/bin"]);
    expect(await shown(spec)).toEqual(["~/.nvm/versions/node/v20", "~/project/agent"]);
    expect(agentPath(spec)).toEqual([join(home, "project/agent"), join(home, ".nvm/versions/node/v20/bin")]);
  });

  it("that gets a script by its whole path sees the script's folder, or in a home only the script", async () => {
    expect(await shown(agent(["sh", join(home, "project/agent/lib/part.py"), "/etc/passwd"]))).toEqual([
      "~/project/agent/lib",
    ]);
    expect(await shown(agent(["sh", join(home, "tool"), "-x"]))).toEqual(["~/tool"]);
  });

  it("does not go in circles", async () => {
    await link("b", "loop/a");
    await link("a", "loop/b");
    expect(await shown(agent([join(home, "loop/a")]))).toEqual([]);
  });
});

describe("an agent's folder and workspace", () => {
  it("are seen where they are; only the workspace can be written", async () => {
    expect(await shown(agent(["sh"], { cwd: join(home, "project/agent") }), work)).toEqual([
      "~/project/agent",
      "WORK !",
    ]);
  });

  it("may be the same, or lie in each other", async () => {
    const project = join(home, "project/agent");
    expect(await shown(agent(["sh"], { cwd: project }), project)).toEqual(["~/project/agent !"]);
    expect(await shown(agent(["sh"], { cwd: project }), join(project, "lib"))).toEqual([
      "~/project/agent",
      "~/project/agent/lib !",
    ]);
    expect(await shown(agent(["sh"], { cwd: join(project, "lib") }), project)).toEqual([
      "~/project/agent !",
      "~/project/agent/lib",
    ]);
  });

  it("keep the name they were given when that is a link", async () => {
    expect(await shown(agent(["sh"], { cwd: join(home, "project/other-name") }))).toEqual([
      "~/project/agent > ~/project/other-name",
    ]);
  });

  it.each(["/", "/home", "/home/somebody", "/root", "/tmp", "/etc", "/usr", "/proc/self"])(
    "must not be %s",
    async (path) => {
      const refused = {
        code: "ENVIRONMENT_UNAVAILABLE",
        message: expect.stringMatching(/folder of its own$/) as string,
      };
      const there = await realpath(path).catch(() => undefined);
      if (there === undefined) return;
      await expect(agentMounts(agent(["sh"], { cwd: path }), undefined)).rejects.toMatchObject(refused);
      await expect(agentMounts(agent(["sh"]), path)).rejects.toMatchObject(refused);
    },
  );

  it("must not be a home directory, nor what is above it", async () => {
    for (const path of [home, base]) {
      await expect(agentMounts(agent(["sh"], { cwd: path }), undefined)).rejects.toThrow(/folder of its own/);
    }
  });
});

describe("the hub's own data", () => {
  const hidden = (): string[] => [join(home, "project/.proctor"), join(home, "project/data/artifacts")];

  it("is left out of a folder in which it lies, also where a link leads to it", async () => {
    expect(await shown(agent(["sh"], { cwd: join(home, "project") }), undefined, hidden())).toEqual([
      "~/project/.venv",
      "~/project/agent",
      "~/project/data/public",
      "~/project/agent > ~/project/other-name",
    ]);
  });

  it("is no folder of an agent's, and no workspace holds it; a workspace of the hub's lies in it", async () => {
    const own = join(home, "project/.proctor");
    await expect(agentMounts(agent(["sh"], { cwd: own }), undefined, hidden())).rejects.toThrow(
      /folder of its own/,
    );
    await expect(agentMounts(agent(["sh"]), join(home, "project"), hidden())).rejects.toThrow(
      /folder of its own/,
    );
    expect(await shown(agent(["sh"]), work, [join(base, "work")])).toEqual(["WORK !"]);
  });
});
