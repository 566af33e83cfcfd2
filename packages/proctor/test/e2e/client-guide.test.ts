// The guide "Test your A2A client", as it is typed, in an empty folder.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ConformDocument } from "../../src/conformance/document.ts";
import { parseCommandLine } from "../../src/core/command-line.ts";
import { HANG_MS } from "../support/eventually.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const guide = readFileSync(
  new URL("../../../../docs/guides/test-your-a2a-client.md", import.meta.url),
  "utf8",
);
const blocks = [...guide.matchAll(/^```js\n(.*?)^```/gms)].map(([, code = ""]) => code);
const commands = [...guide.matchAll(/^\$ (.*)$/gm)].map(([, line = ""]) => parseCommandLine(line).slice(1));

it(
  "the guide to testing a client finds the fault that it shows, and its line mends it",
  { timeout: HANG_MS },
  async () => {
    const folder = temporaryFolder("client-guide");
    const client = join(folder, "client.mjs");
    const [first = "", mended = ""] = blocks;
    const [whole = [], alone = [], gate = []] = commands;
    writeFileSync(client, first);

    const before = await runCommand([...whole, "--json"], { folder });
    const document = JSON.parse(before.stdout) as ConformDocument;
    const failed = document.rules.filter(({ grade }) => grade === "failed").map(({ id }) => id);
    expect(document).toMatchObject({
      protocol: "a2a",
      transport: "client",
      title: "A2A client 1.0",
      reachable: true,
    });
    expect(failed).toContain("a2a.client.answer.failed");
    expect(document.summary.passed).toBeGreaterThan(15);
    writeFileSync(join(folder, "last.json"), before.stdout);

    const shown = await runCommand(alone, { folder });
    expect(shown.code).toBe(1);
    expect(shown.stdout).toContain("conformance of node client.mjs as a client\n");
    const [block = ""] = /^✗ a2a\.client\.answer\.failed.*?^```/ms.exec(guide) ?? [];
    for (const line of block.split("\n").slice(0, -1)) expect(shown.stdout).toContain(`${line}\n`);

    writeFileSync(client, first + mended);
    expect((await runCommand(alone, { folder })).code).toBe(0);
    const gated = await runCommand([...gate, "--only", "a2a.client.answer.failed"], { folder });
    expect(gated.code).toBe(0);
    expect(gated.stdout).toContain("report  client.xml");
  },
);

it("proctor conform --as-agent says what it cannot do with a client", async () => {
  const folder = temporaryFolder("client-usage");
  const wrong = await runCommand(["conform", "--as-agent", "a2a", "node client.mjs", "--task", "x"], {
    folder,
  });
  expect(wrong).toMatchObject({ code: 2 });
  expect(wrong.stderr).toContain("--task is for agents, not for clients");
  const other = await runCommand(["conform", "--as-agent", "atp", "node client.mjs"], { folder });
  expect(other.code).toBe(2);
  const missing = ["conform", "--as-agent", "a2a", "no-such-client", "--only", "a2a.client.card"];
  expect(await runCommand(missing, { folder })).toMatchObject({ code: 3 });
});
