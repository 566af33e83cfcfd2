// Agents written with the SDKs keep every rule of the protocol, on every transport that the SDKs serve.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { parseAddress } from "../../src/core/address.ts";
import type { AgentSpec } from "../../src/core/agent.ts";
import { atpConformance } from "../../src/protocols/atp/conform/conformance.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const folder = temporaryFolder("conform-sdk");
const children: ChildProcess[] = [];
afterAll(async () => {
  for (const child of children) {
    child.kill("SIGTERM");
    await once(child, "close");
  }
});

const typescript = join(folder, "agent.mjs");
writeFileSync(
  typescript,
  `import { file, serve, structured } from ${JSON.stringify(pathToFileURL(join(root, "sdk/typescript/dist/index.js")).href)};

await serve(async (task, emit) => {
  emit.progress({ message: "working", percentage: 50 });
  emit.reasoning({ thought: "say it back", plan: ["say it"], step: "planning" });
  if (task.description.startsWith("Take at least one minute")) {
    await new Promise((_, reject) => task.signal.addEventListener("abort", () => reject(task.signal.reason)));
  }
  emit.stateChange({ from_state: "working", to_state: "done", reason: "nothing is left" });
  const said = \`You said: \${task.description}\`;
  return { artifacts: [file("said.txt", said), structured("said", { said })] };
});
`,
);

const python = join(folder, "agent.py");
writeFileSync(
  python,
  `from proctor_agent import file, serve, structured


def agent(task, emit):
    emit.progress(message="working", percentage=50)
    emit.reasoning(thought="say it back", plan=["say it"], step="planning")
    if task.description.startswith("Take at least one minute"):
        task.cancelled.wait(60)
        task.check_cancelled()
    emit.state_change(from_state="working", to_state="done", reason="nothing is left")
    said = f"You said: {task.description}"
    return [file("said.txt", said), structured("said", {"said": said})]


if __name__ == "__main__":
    serve(agent)
`,
);

const hasPython = spawnSync("python3", ["--version"]).status === 0;
const SDKS = {
  typescript: { command: [process.execPath, typescript], env: {} },
  python: {
    command: ["python3", python],
    env: { PYTHONPATH: join(root, "sdk/python"), PYTHONDONTWRITEBYTECODE: "1" },
  },
};

type Sdk = keyof typeof SDKS;

async function reach(sdk: Sdk, transport: "stdio" | "http" | "ws"): Promise<AgentSpec> {
  const { command, env } = SDKS[sdk];
  if (transport === "stdio") return { protocol: "atp", transport, command, env };
  const [file = "", ...args] = command;
  const child = spawn(file, [...args, "--serve"], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const [, place] = /^listening on http:(\/\/\S+)$/.exec(line) ?? [];
    if (place !== undefined) return parseAddress(`atp+${transport}:${place}`);
  }
  throw new Error("it ended before it listened");
}

describe.concurrent.each<Sdk>(["typescript", "python"])("the SDK for %s", (sdk) => {
  test.for(["stdio", "http", "ws"] as const)("keeps every rule over %s", async (transport, { skip }) => {
    if (sdk === "python" && !hasPython) skip("python3 is not installed here");
    const agent = await reach(sdk, transport);
    const { signal } = new AbortController();
    const broken: unknown[] = [];
    let tried = 0;
    for await (const { rule, outcome, reason, evidence } of atpConformance.check(agent, {
      timeoutMs: 20_000,
      signal,
    })) {
      tried++;
      if (outcome !== "pass") broken.push({ id: rule.id, outcome, reason, evidence });
    }
    expect(broken).toEqual([]);
    expect(tried).toBeGreaterThan(40);
  });
});
