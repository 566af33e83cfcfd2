// The Rust crate as users meet it: its own tests, its example, the crate of examples/. What it does is tested in sdk/term-cases.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseLines, runAgent } from "../term-cases/run-agent.ts";
import { buildExample, cargo, cargoEnv, CRATE, NO_CARGO } from "./cargo.ts";

const EXAMPLES = fileURLToPath(new URL("../../examples/terminal-agents/", import.meta.url));
const LIMIT_MS = 300_000;
const read = (path: string): string => readFileSync(path, "utf8");

const REQUESTS = [
  { instruction: "Say hello", step: 1, last_command: null, output: null, exit_code: null, cwd: "/app" },
  { instruction: "Say hello", step: 2, last_command: "echo", output: "", exit_code: 0, cwd: "/app" },
].map((request) => JSON.stringify(request));
const ANSWERS = [
  { command: "echo 'Hello, world!' > hello.txt", task_complete: false },
  { command: null, task_complete: true },
];

describe.skipIf(NO_CARGO)("the Rust crate", () => {
  it("passes its tests", { timeout: LIMIT_MS }, async () => {
    const { stdout } = await cargo("test", "--quiet", "--locked");
    expect(stdout).toMatch(/test result: ok\. [1-9]/);
  });

  it("its example answers", { timeout: LIMIT_MS }, async () => {
    const ended = await runAgent([await buildExample("hello")], {}, REQUESTS);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(parseLines(ended.stdout)).toEqual(ANSWERS);
  });

  it("a crate that depends on it answers", { timeout: LIMIT_MS }, async () => {
    const manifest = `${EXAMPLES}Cargo.toml`;
    await cargo("build", "--quiet", "--locked", "--manifest-path", manifest);
    const command = ["cargo", "run", "--quiet", "--locked", "--manifest-path", manifest];
    // Cargo needs to know its home, too.
    const { HOME = "", CARGO_HOME, RUSTUP_HOME } = process.env;
    const homes = { ...(CARGO_HOME ? { CARGO_HOME } : {}), ...(RUSTUP_HOME ? { RUSTUP_HOME } : {}) };
    const env = { HOME, ...homes, CARGO_TARGET_DIR: cargoEnv.CARGO_TARGET_DIR };
    const ended = await runAgent(command, env, REQUESTS);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(parseLines(ended.stdout)).toEqual(ANSWERS);
  });
});

it("both examples are the same program", () => {
  expect(read(`${EXAMPLES}hello.rs`)).toBe(read(`${CRATE}examples/hello.rs`));
});

it("the README has every code of an error", () => {
  const sources = readdirSync(`${CRATE}src/llm`).map((file) => read(`${CRATE}src/llm/${file}`));
  const text = [...sources, read(`${CRATE}src/llm.rs`)].join("\n");
  const codes = [...text.matchAll(/LLMError::new\(\s*"(\w+)"|=> "(\w+)"/g)].map(
    ([, made, listed]) => made ?? listed,
  );
  expect(codes.length).toBeGreaterThan(12);
  const readme = read(`${CRATE}README.md`);
  expect(codes.filter((code) => !readme.includes(`\`${code}\``))).toEqual([]);
});
