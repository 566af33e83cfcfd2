// The same four agents in each language, as programs that a test can start.
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { buildExample, NO_CARGO } from "../rust/cargo.ts";

export type AgentName = "hello" | "lines" | "cases" | "model";

export interface Language {
  name: string;
  /** Reason why tests are skipped on this machine; false where they run. */
  missing: string | false;
  /** Builds the agents where necessary, and resolves with the way to start them. */
  prepare: () => Promise<Prepared>;
}

export interface Prepared {
  command: (agent: AgentName) => string[];
  env: Record<string, string>;
  remove: () => void;
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const EXAMPLES = join(ROOT, "examples/terminal-agents");
const AGENTS = join(ROOT, "sdk/term-cases/agents");
const nothing = (): void => undefined;

const hasPython =
  spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 8))"]).status === 0;

const python: Language = {
  name: "Python",
  missing: hasPython ? false : "python3 (3.8 or newer) is not installed here",
  prepare: () =>
    Promise.resolve({
      command: (agent) => ["python3", join(agent === "hello" ? EXAMPLES : AGENTS, `${agent}.py`)],
      env: { PYTHONPATH: join(ROOT, "sdk/python"), PYTHONWARNINGS: "error" },
      remove: nothing,
    }),
};

/** The agents are compiled in the same way as the package, so that what is published is what is tested. */
const typescript: Language = {
  name: "TypeScript",
  missing: false,
  async prepare() {
    const folder = mkdtempSync(join(tmpdir(), "term-sdk-"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    const options = { rootDir: ROOT, outDir: folder, typeRoots: [join(ROOT, "node_modules/@types")] };
    const files = [
      join(EXAMPLES, "hello.ts"),
      ...["lines", "cases", "model"].map((name) => join(AGENTS, `${name}.ts`)),
    ];
    const project = { extends: join(ROOT, "tsconfig.base.json"), compilerOptions: options, files };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project));
    const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
    await promisify(execFile)(process.execPath, [compiler, "-p", folder]);
    const places = {
      hello: "examples/terminal-agents",
      lines: "sdk/term-cases/agents",
      cases: "sdk/term-cases/agents",
      model: "sdk/term-cases/agents",
    };
    return {
      command: (agent) => [process.execPath, join(folder, places[agent], `${agent}.js`)],
      env: {},
      remove: () => rmSync(folder, { recursive: true, force: true }),
    };
  },
};

const rust: Language = {
  name: "Rust",
  missing: NO_CARGO,
  async prepare() {
    const agents: AgentName[] = ["hello", "lines", "cases", "model"];
    const programs = new Map<AgentName, string>();
    for (const agent of agents) programs.set(agent, await buildExample(agent));
    return { command: (agent) => [programs.get(agent) ?? ""], env: {}, remove: nothing };
  },
};

export const LANGUAGES: readonly Language[] = [python, typescript, rust];

if (python.missing !== false) {
  // oxlint-disable-next-line no-console -- the reader of the report should know why nothing ran
  console.warn(`skipped: the Python SDK: ${python.missing}`);
}
