// Endpoints and programs that know no protocol, through the built program: as addresses, by name, and in suites.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { jsonEndpoint } from "../support/protocols/json-endpoint.ts";
import { blocks } from "../support/markdown.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const example = join(root, "examples/any-agent");
const folder = temporaryFolder("any-agent");
const guide = readFileSync(join(root, "docs/guides/any-agent.md"), "utf8");

/** The service of the example, while `use` needs it. */
async function withService(use: (port: string) => Promise<void>): Promise<void> {
  const server = spawn("node", [join(example, "endpoint.mjs"), "0"]);
  try {
    const [text] = (await once(server.stdout.setEncoding("utf8"), "data")) as [string];
    await use(/:(\d+)/.exec(text)?.[1] ?? "");
  } finally {
    server.kill();
  }
}

describe("proctor with any endpoint or program as an agent", () => {
  it("runs a program that only prints its answer", async () => {
    const args = ["run", "--agent", "text+stdio:cat", "--task", `Say "{hello}"`, "--json"];
    const { code, stdout } = await runCommand(args, { folder });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      status: "completed",
      artifacts: [{ name: "result", data: { output: `Say "{hello}"` } }],
    });
  });

  it("shows the last words of a program that fails", async () => {
    writeFileSync(join(folder, "fails.mjs"), `console.error("no model today"); process.exit(4);`);
    const args = ["run", "--agent", "text+stdio:node fails.mjs {task}", "--task", "x"];
    const { code, stdout, stderr } = await runCommand(args, { folder });
    expect(code).toBe(1);
    expect(stdout + stderr).toMatch(/AGENT_CRASHED[^]*exited with code 4[^]*no model today/);
  });

  it("registers an endpoint with its options, and refuses options that it does not have", async () => {
    const { spec, asked } = await jsonEndpoint({ data: { reply: "hi" } });
    const add = ["agents", "add", "chat", `rest+${spec.url}`];
    const refused = await runCommand([...add, "--option", "anwser=data.reply"], { folder });
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toMatch(/unknown key "anwser" .*\n +did you mean "answer"\?/);
    const options = ["--option", "answer=data.reply", "--option", 'body={"q":"{task}"}'];
    expect(await runCommand([...add, ...options], { folder })).toMatchObject({ code: 0 });
    const ran = await runCommand(["run", "--agent", "chat", "--task", "hello", "--json"], { folder });
    expect(JSON.parse(ran.stdout)).toMatchObject({ artifacts: [{ data: { output: "hi" } }] });
    expect(asked).toMatchObject([{ body: { q: "hello" } }]);
  });

  it("says in which line of a suite an option is wrong", async () => {
    const suite = `test_suite: s
agents:
  - name: chat
    address: rest+http://127.0.0.1:1/x
    options:
      body: { q: "{taks}" }
  - name: shell
    address: text+stdio:sh -c 'echo {task}'
  - name: typed
    protocol: rest
    url: http://127.0.0.1:1/x
    options:
      stream: sse
      dleta: text
tests:
  - { id: t, name: T, task: { description: do it } }
`;
    writeFileSync(join(folder, "wrong.yaml"), suite);
    const { code, stderr } = await runCommand(["validate", "wrong.yaml"], { folder });
    expect(code).toBe(2);
    expect(stderr).toMatch(/wrong\.yaml:6:18 +there is no "\{taks\}".*\n +did you mean \{task\}\?/);
    expect(stderr).toMatch(/wrong\.yaml:7:5 +"echo \{task\}" would be run as code/);
    expect(stderr).toMatch(/wrong\.yaml:14:7 +unknown key "dleta"\n +did you mean "delta"\?/);
  });

  it("passes the suites of the guide", async () => {
    const suites = blocks(guide, "yaml").filter((text) => text.startsWith("# suite: any_agent\n"));
    expect(suites).toHaveLength(2);
    await withService(async (port) => {
      for (const [index, text] of suites.entries()) {
        writeFileSync(join(folder, `guide-${index}.yaml`), text);
        const env = { ENDPOINT_PORT: port };
        const ended = await runCommand(["test", `guide-${index}.yaml`], { folder, env });
        expect(ended).toMatchObject({ code: 0, stderr: "" });
        expect(ended.stdout).toContain("1 passed, 0 failed");
      }
    });
  });

  it("runs the commands of the guide on programs", async () => {
    const addresses = [...guide.matchAll(/--agent "(text\+stdio:.*)" --task/g)].map(([, written = ""]) =>
      written.replaceAll(String.raw`\"`, '"').replaceAll(String.raw`\$`, "$"),
    );
    expect(addresses).toHaveLength(3);
    const env = {
      DATABASE_URL: `file:${join(folder, "guide.db")}`,
      ARTIFACTS_DIR: join(folder, "guide-artifacts"),
    };
    for (const agent of addresses) {
      const args = ["run", "--agent", agent, "--task", "Say hello", "--json"];
      const { stdout } = await runCommand(args, { folder: example, env });
      const output = expect.stringMatching(/^say hello$/i) as string;
      expect(JSON.parse(stdout)).toMatchObject({ artifacts: [{ data: { output } }] });
    }
  });
});
