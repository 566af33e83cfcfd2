// The same suite and the same terminal task, in one process and through a hub that is another process in another folder: whatever
// is not an id or a time must be the same (invariant 9).
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { lacksBwrap } from "../support/bwrap.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import type { Ended } from "../support/program.ts";
import { runCommand } from "../support/run-command.ts";
import { shareEnvironments } from "../support/share-environments.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = temporaryFolder("same-everywhere");
const AGENTS = new URL("../fixtures/agents/", import.meta.url).pathname;
const HELLO = new URL("../../../../examples/terminal-tasks/hello", import.meta.url).pathname;

const SUITE = `
test_suite: same everywhere
agents:
  - name: writer
    address: atp+stdio:node ${AGENTS}leaves-files.mjs text:a.txt text:b.md
tests:
  - id: files
    name: leaves two files
    task: {description: leave two files}
    checks:
      - {type: file_exists, config: {path: a.txt}}
      - {type: file_contains, config: {path: a.txt, pattern: a.txt}}
      - {type: file_count, config: {count: 2}}
      - {type: file_not_exists, config: {path: c.txt}}
      - {type: command, config: {command: cat a.txt b.md, stdout: {contains: b.md}}}
  - id: absent
    name: leaves two files
    task: {description: leave two files}
    checks:
      - {type: file_exists, config: {path: missing.txt}}
      - {type: dir_exists, config: {path: folder}}
      - {type: file_contains, config: {path: a.txt, pattern: nothing of the kind}}
      - {type: command, config: {command: "test -e missing.txt"}}
`;

let hub: HubProcess;

beforeAll(async () => {
  const folder = join(root, "hub");
  shareEnvironments(join(folder, ".proctor"));
  hub = await startHubProcess({ folder });
});

afterAll(() => hub?.stop());

function folderOf(name: string): string {
  const folder = join(root, name);
  shareEnvironments(join(folder, ".proctor"));
  writeFileSync(join(folder, "suite.yaml"), SUITE);
  cpSync(HELLO, join(folder, "tasks/hello"), { recursive: true });
  return folder;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const ISO = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
const TIMED = /(?:_ms|_at|_seconds|duration|percent|bytes_in|cpu)$/i;

/** Without ids, times and the folder of this invocation. */
function plain(value: unknown, folder: string): unknown {
  if (typeof value === "string")
    return value
      .replaceAll(folder, "{folder}")
      .replaceAll(UUID, "{id}")
      .replaceAll(ISO, "{time}")
      .replaceAll(/[\d.]+ ?m?s\b/g, "{time}");
  if (Array.isArray(value)) return value.map((item) => plain(item, folder));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) =>
    TIMED.test(key) ? [key, "{time}"] : [key, plain(item, folder)],
  );
  return Object.fromEntries(entries);
}

const result = ({ stdout }: Ended, folder: string): unknown => plain(JSON.parse(stdout), folder);

/** A report has its cases in the order of their ends, which is nobody's promise. */
function inOrder(report: unknown): unknown {
  const { cases, ...rest } = z
    .looseObject({ cases: z.array(z.looseObject({ line: z.int() })) })
    .parse(report);
  return { ...rest, cases: cases.toSorted((a, b) => a.line - b.line) };
}

describe("the same command", () => {
  it("gives the same verdicts, reasons, metrics and artifacts of a suite with a hub and without", async () => {
    const [here, there] = [folderOf("here"), folderOf("there")];
    const local = await runCommand(["test", "suite.yaml", "--json"], { folder: here });
    const remote = await runCommand(["test", "suite.yaml", "--json", "--hub", hub.url], { folder: there });
    expect(local).toMatchObject({ code: 1 });
    expect(remote).toMatchObject({ code: 1 });
    expect(inOrder(result(remote, there))).toEqual(inOrder(result(local, here)));
  });

  it.skipIf(lacksBwrap("terminal tasks")).each(["oracle", "nop"])(
    "judges a terminal task alike with a hub and without: %s",
    async (agent) => {
      const [here, there] = [folderOf(`${agent}-here`), folderOf(`${agent}-there`)];
      const words = ["tasks", "run", "tasks", "--agent", agent, "--output", "job", "--json"];
      const local = await runCommand(words, { folder: here });
      const remote = await runCommand([...words, "--hub", hub.url], { folder: there });
      expect([local.code, local.stderr]).toEqual([agent === "oracle" ? 0 : 1, local.stderr]);
      expect(remote.code).toBe(local.code);
      expect(result(remote, there)).toEqual(result(local, here));
      expect(trialOf(there)).toEqual(trialOf(here));
    },
  );
});

function trialOf(folder: string): unknown {
  const [trial = ""] = readdirSync(join(folder, "job"));
  return plain(JSON.parse(readFileSync(join(folder, "job", trial, "result.json"), "utf8")), folder);
}
