// `proctor conform --acts`: what belongs to it, what is refused, and what is shown.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createIo } from "../../../../test/support/cli/program-double.ts";
import { runConform, scripted } from "../../../../test/support/conformance/run-conform.ts";
import { startAgent } from "../../../../test/support/doubles/scripted.ts";
import { folderOf, STEP, withSteps } from "../../../../test/support/a2a/acts-files.ts";
import { HANG_MS } from "../../../../test/support/eventually.ts";
import { parseCommandLine } from "../../../core/command-line.ts";
import { tckPack } from "../../../doubles/scripted/packs/tck.ts";

const FOLDER = fileURLToPath(new URL("../../../../test/fixtures/acts", import.meta.url));
const AGENT = "a2a+http://127.0.0.1:1";
const unused = scripted();
const conform = (argv: string[], cwd = FOLDER) => runConform(argv, unused, { io: createIo({ cwd }) });

describe("proctor conform --acts", () => {
  it.each<[string, string[], string]>([
    ["a profile without it", [AGENT, "--profile", "main"], "--profile needs --acts <path>"],
    ["its report without it", [AGENT, "--reporter", "acts=a.json"], "--reporter acts needs --acts <path>"],
    [
      "an agent of another protocol",
      ["atp+stdio:x", "--acts", "."],
      "--acts is for agents of A2A, and this one speaks atp",
    ],
    ["an unknown profile", [AGENT, "--acts", ".", "--profile", "reduce"], 'did you mean "reduced"?'],
    ["a folder that is not there", [AGENT, "--acts", "nowhere"], "nowhere  there is no such file"],
    [
      "an unknown test",
      [AGENT, "--acts", ".", "--only", "acts.OPS-SNED-001"],
      'did you mean "acts.OPS-SEND-001"?',
    ],
  ])("refuses %s with exit code 2", async (_what, argv, message) => {
    const { code, out, err } = await conform(argv);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(message);
  });

  it("refuses files with mistakes at their places, before anything is tried", async () => {
    const cwd = folderOf({ "a.acts.yaml": withSteps(STEP.replace("params", "parms")) });
    const { code, err } = await conform([AGENT, "--acts", "."], cwd);
    expect(code).toBe(2);
    expect(err).toContain('a.acts.yaml:13:13  unknown key "parms"');
  });

  it(
    "tries tests by the beginning of their names, and writes the report of ACTS",
    { timeout: HANG_MS },
    async () => {
      const { url } = await startAgent({ script: tckPack({ streamingTimeoutMs: 50 }) });
      const flags = ["--acts", FOLDER, "--only", "acts.OPS-ERR", "--only", "acts.WIRE-REST-001"];
      const shown = await conform([`a2a+${url}`, ...flags]);
      expect(shown).toMatchObject({ code: 0, err: "" });
      expect(shown.out).toContain("✓ acts.OPS-ERR-001");
      expect(shown.out).toMatch(/^2 passed, 0 failed, 0 unevaluated/m);
      const { out } = await conform([`a2a+${url}`, ...flags, "--reporter", "acts"]);
      expect(JSON.parse(out)).toMatchObject([
        { transport: "jsonrpc", summary: { total: 1, passed: 1 }, sdk: { name: "Scripted agent" } },
        {
          transport: "rest",
          summary: { total: 2, passed: 2 },
          suites: [{ id: "operations" }, { id: "wire" }],
        },
      ]);
      const junit = await conform([`a2a+${url}`, ...flags, "--reporter", "junit"]);
      expect(junit.out).toContain('<testsuite name="acts.OPS"');
    },
  );

  it("has commands in its guide that find no fault in the scripted agent", { timeout: HANG_MS }, async () => {
    const guide = new URL("../../../../../../docs/guides/is-this-a2a-agent-any-good.md", import.meta.url);
    const { url } = await startAgent({ script: tckPack({ streamingTimeoutMs: 50 }) });
    const lines = (await readFile(guide, "utf8")).split("\n").filter((line) => /^\$ .* --acts /.test(line));
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      const typed = line.slice(2).replace("http://127.0.0.1:8080", url).replace("tests/acts", FOLDER);
      const [, , ...argv] = parseCommandLine(typed);
      expect((await conform(argv)).out).toMatch(/^\d+ passed, 0 failed, \d unevaluated/m);
    }
  });
});
