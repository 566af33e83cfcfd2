// Holds the guide and the reference of scripted agents to what they say.
import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { all, block, rows, section } from "../../../../test/support/markdown.ts";
import { startAgent } from "../../../../test/support/doubles/scripted.ts";
import { openTestHub, type TestHub } from "../../../../test/support/test-hub.ts";
import { PROGRAM } from "../../../../test/support/program.ts";
import { artifactName } from "../../../core/artifact.ts";
import { readFault, SCRIPTED_FAULT_FORMS } from "../../../doubles/scripted/faults/fault.ts";
import { loadScript } from "../../../doubles/scripted/load-script.ts";
import { PROFILE_NAMES } from "../../../doubles/scripted/profiles.ts";
import { VARIABLES } from "../../../doubles/scripted/variables.ts";
import { openScriptedAgent } from "../../compose/open-scripted-agent.ts";
import { codecs } from "../../compose/start-scripted-agent.ts";
import { loadConfig } from "../../config/load-config.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../../../..", import.meta.url));

let folder: string;
let hub: TestHub;
let guide: string;
let reference: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "proctor-scripted-guide-"));
  hub = await openTestHub();
  guide = await readFile(join(root, "docs/guides/script-an-a2a-agent.md"), "utf8");
  reference = await readFile(join(root, "docs/reference/scripted-agent.md"), "utf8");
});
afterAll(async () => {
  await hub.close();
  await rm(folder, { recursive: true });
});

async function write(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

describe("the guide to scripted agents", () => {
  test("has a client whose directives are obeyed", async () => {
    const { url } = await startAgent();
    const file = await write("talk.mjs", block(guide, "js", "// talk.mjs"));
    const { stdout } = await run(process.execPath, [file], { env: { ...process.env, AGENT: url } });
    expect(stdout).toBe("Task complete.\nFollow-up complete.\n");
    expect(guide).toContain(`$ node talk.mjs\n${stdout}`);
  });

  test("has a script that gives the same over both protocols", async () => {
    const script = await loadScript(
      await write("script.yaml", block(guide, "yaml", "# script.yaml")),
      codecs,
    );
    const { url } = await startAgent({ script });
    for (const agent of [`a2a+${url}`, `atp+${url}`]) {
      const { run: submitted } = await hub.hub.submit({
        agent,
        task: { description: "A report about foxes" },
      });
      const ended = await hub.ended(submitted.id);
      expect([agent, ended.status]).toEqual([agent, "completed"]);
      expect(ended.artifacts.map(artifactName)).toContain("report.txt");
    }
  });

  test("names faults that exist", () => {
    const specs = [...guide.matchAll(/--fault "?([^"\s]+)/g)].map(([, spec = ""]) => spec);
    expect(specs.length).toBe(3);
    for (const spec of specs) expect(() => readFault(spec)).not.toThrow();
  });

  test("names packs and profiles that exist, and settings that a hub takes", async () => {
    const commands = all(
      section(guide, "Meet the conformance kits"),
      /proctor mock agent (--pack .*?)(?: *#.*)?$/gm,
    );
    expect(commands).toHaveLength(3);
    for (const command of commands) {
      const [, pack = ""] = /--pack (\S+)/.exec(command) ?? [];
      const [, profile] = /--profile (\S+)/.exec(command) ?? [];
      const agent = await openScriptedAgent({ packs: [pack], env: {}, ...(profile && { profile }) });
      await agent.close();
    }
    await write("proctor.yaml", block(guide, "yaml", "# proctor.yaml"));
    const { a2a, agents } = await loadConfig({ cwd: folder, env: {}, flags: {} });
    expect([a2a, agents[0]?.name]).toEqual([
      { patch: "1.0.0", unversionedCard: "1.0", repeats: "new" },
      "sut",
    ]);
  });

  test("has a test in TypeScript that passes", async () => {
    const entry = JSON.stringify(fileURLToPath(new URL("../../../testing/index.ts", import.meta.url)));
    const code = block(guide, "ts", "// agent.test.ts").replace('"proctor/testing"', entry);
    const told: (() => Promise<void>)[] = [];
    // The test runs in this one, so its `test` only tells what it would do.
    Object.assign(globalThis, {
      told: (_name: string, body: () => Promise<void>) => told.push(body),
      expect,
    });
    const file = await write(
      "agent.ts",
      code.replace(/^import .*vitest.*$/m, "").replace("test(", "globalThis.told("),
    );
    await import(/* @vite-ignore */ file);
    expect(told).toHaveLength(1);
    await told[0]?.();
  });

  const hasPytest = spawnSync("python3", ["-m", "pytest", "--version"]).status === 0;
  test.skipIf(!hasPytest)("has a test in Python that passes, where pytest is installed", async () => {
    const file = await write("test_proxy.py", block(guide, "python", "# test_proxy.py"));
    const args = ["-m", "pytest", "-q", "-p", "proctor_testing.plugin", "-p", "no:cacheprovider", file];
    const env = {
      ...process.env,
      PYTHONPATH: join(root, "sdk/python"),
      PROCTOR: `${process.execPath} ${PROGRAM}`,
    };
    const { stdout } = await run("python3", args, { cwd: folder, env });
    expect(stdout).toContain("1 passed");
  });
});

describe("the reference of scripted agents", () => {
  test("has every fault, and no other", () => {
    const cells = rows(section(reference, "Faults")).map(([cell = ""]) => cell);
    const documented = cells.flatMap((cell) => all(cell, /`([a-z-]+)/g));
    expect(new Set(documented)).toEqual(new Set(Object.keys(SCRIPTED_FAULT_FORMS)));
  });

  test("has every profile and every variable", () => {
    expect(rows(section(reference, "Profiles")).map(([name]) => name?.replaceAll("`", ""))).toEqual([
      ...PROFILE_NAMES,
    ]);
    for (const name of VARIABLES) expect(reference).toContain(`{{${name}}}`);
  });

  test("has every pack, and so has the refusal of another", async () => {
    const names = rows(section(reference, "Packs")).map(([name = ""]) => name.replaceAll("`", ""));
    const refused = openScriptedAgent({ packs: ["zzz"], env: {} });
    await expect(refused).rejects.toThrow(`there are: ${names.join(", ")}`);
  });

  test("has every request of the control API", async () => {
    const { url } = await startAgent();
    for (const [request = ""] of rows(section(reference, "The control API"))) {
      const [method = "", path = ""] = request.replaceAll("`", "").split(" ");
      const asked = await fetch(`${url}${path.replace("{name}", "x")}`, {
        method,
        signal: AbortSignal.timeout(60_000),
      });
      // Wrong without a body or a parameter, but there.
      expect([request, asked.status === 404 && !path.includes("{name}"), asked.status === 405]).toEqual([
        request,
        false,
        false,
      ]);
    }
  });
});
