// The ten-line agents of the guide and of the SDKs' READMEs do what is promised, on every transport they serve.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { atpResponse } from "../../src/protocols/atp/wire.ts";
import { block } from "../support/markdown.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const folder = temporaryFolder("write-an-agent");
const guide = readFileSync(join(root, "docs/guides/write-an-agent.md"), "utf8");
const python = spawnSync("python3", ["--version"]).status === 0;
const PYTHONPATH = join(root, "sdk/python");

mkdirSync(join(folder, "node_modules/@proctor"), { recursive: true });
symlinkSync(join(root, "sdk/typescript"), join(folder, "node_modules/@proctor/agent"));
writeFileSync(join(folder, "tools.yaml"), block(guide, "yaml", "# tools.yaml"));

interface Language {
  name: string;
  program: string;
  file: string;
  /** Of the guide, of the README of the SDK, of the README of the project. */
  sources: [string, string, string];
}

const LANGUAGES: Language[] = [
  {
    name: "TypeScript",
    program: process.execPath,
    file: "agent.mjs",
    sources: [
      block(guide, "js", "// agent.mjs"),
      block(readme("sdk/typescript"), "js", "// agent.mjs"),
      block(readme("."), "js", "// agent.mjs"),
    ],
  },
  {
    name: "Python",
    program: "python3",
    file: "agent.py",
    sources: [
      block(guide, "python", "# agent.py"),
      block(readme("sdk/python"), "python", "from proctor_agent import serve"),
      block(readme("."), "python", "# agent.py"),
    ],
  },
];

function readme(folder: string): string {
  return readFileSync(join(root, folder, "README.md"), "utf8");
}

async function ask(address: string): Promise<object> {
  const args = [
    "run",
    "--agent",
    address,
    "--task",
    "Slack competitors",
    "--tools",
    "tools.yaml",
    "--strict",
    "--json",
  ];
  const ended = await runCommand([...args, "--env", `PYTHONPATH=${PYTHONPATH}`], { folder });
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  return atpResponse.parse(JSON.parse(ended.stdout));
}

async function serving(language: Language, use: (port: string) => Promise<void>): Promise<void> {
  const env = { ...process.env, PYTHONPATH };
  const child = spawn(language.program, [language.file, "--serve", "0"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const port = await new Promise<string>((resolve) =>
      child.stdout.on("data", (data: Buffer) => resolve(/:(\d+)/.exec(data.toString())?.[1] ?? "")),
    );
    await use(port);
  } finally {
    child.kill("SIGTERM");
  }
}

describe.each(LANGUAGES)("an agent in $name", (language) => {
  it.for([0, 1, 2])(
    "answers over stdio, and as the guide has it over HTTP and WebSocket, without a violation (source %i)",
    async (index, { skip }) => {
      if (language.name === "Python" && !python) skip("python3 is not installed here");
      const source = language.sources[index] ?? "";
      writeFileSync(join(folder, language.file), source);
      const calls = source.includes("tools.call") ? { tool_calls: 1, observed_tool_calls: 1 } : {};
      const expected = {
        status: "completed",
        artifacts: [
          {
            type: "structured",
            name: "result",
            data: { output: expect.stringContaining("Slack competitors") as string },
          },
        ],
        metrics: calls,
      };
      expect(await ask(`atp+stdio:${language.program} ${language.file}`)).toMatchObject(expected);
      // The others differ from it only in what they say.
      if (index > 0) return;
      await serving(language, async (port) => {
        expect(await ask(`atp+http://127.0.0.1:${port}`)).toMatchObject(expected);
        expect(await ask(`atp+ws://127.0.0.1:${port}`)).toMatchObject(expected);
      });
    },
  );
});
