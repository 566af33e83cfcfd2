// The reports of `proctor conform` through the built program, on a real agent with one fault and then without it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { ConformDocument } from "../../src/conformance/document.ts";
import { formatAddress } from "../../src/core/address.ts";
import type { Ended } from "../support/program.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { parseXml } from "../support/xml.ts";

const folder = temporaryFolder("conform-reports");
const program = fileURLToPath(new URL("../fixtures/agents/wrong/stdio.mjs", import.meta.url));
const agentWith = (fault: string): string =>
  formatAddress({ protocol: "atp", transport: "stdio", command: [process.execPath, program, fault] });

const conform = (fault: string, ...flags: string[]): Promise<Ended> =>
  runCommand(["conform", agentWith(fault), "--only", "atp.response", ...flags], { folder });
const file = (name: string): string => readFileSync(join(folder, name), "utf8");

it("proctor conform writes every report of an agent with a fault, and a baseline tells old faults from new ones", async () => {
  const kinds = {
    json: "base.json",
    junit: "junit.xml",
    markdown: "report.md",
    html: "report.html",
    badge: "badge.svg",
    "badge-json": "badge.json",
    summary: "summary.json",
  };
  const reporters = Object.entries(kinds).flatMap(([kind, name]) => ["--reporter", `${kind}=out/${name}`]);
  const first = await conform("atp.response.status", ...reporters);
  expect(first).toMatchObject({ code: 1, stderr: "" });
  expect(first.stdout).toContain('    status is "done"\n    use one of the five words, in lower case\n');
  for (const name of Object.values(kinds)) expect(first.stdout).toContain(`\nreport  out/${name}\n`);

  const document = JSON.parse(file("out/base.json")) as ConformDocument;
  expect(document).toMatchObject({
    agent: agentWith("atp.response.status"),
    protocol: "atp",
    title: "ATP 1.0",
    versions: ["1.0"],
    complete: false,
    reachable: true,
    verdict: "fail",
    summary: { failed: 1 },
  });
  const failed = document.rules.filter(({ grade }) => grade === "failed");
  expect(failed).toMatchObject([{ id: "atp.response.status", section: "Status Values", outcome: "fail" }]);
  expect(parseXml(file("out/junit.xml")).attributes).toMatchObject({ failures: "1", errors: "0" });
  expect(file("out/report.md")).toMatch(/^\*\*ATP 1\.0 conformance: 1 failed\*\*/);
  expect(file("out/report.html")).toContain('<article id="atp.response.status">');
  expect(parseXml(file("out/badge.svg")).attributes["aria-label"]).toBe("ATP 1.0: 1 failed");
  expect(JSON.parse(file("out/badge.json"))).toMatchObject({ label: "ATP 1.0", message: "1 failed" });
  expect(JSON.parse(file("out/summary.json"))).toMatchObject({ schema_version: 1, verdict: "fail" });

  const known = await conform("atp.response.status", "--baseline", "out/base.json");
  expect(known).toMatchObject({ code: 0, stderr: "" });
  expect(known.stdout).toMatch(/\nsince out\/base\.json: 1 known failure, 0 new\n$/);

  const worse = await conform("atp.response.version", "--baseline", "out/base.json");
  expect(worse).toMatchObject({ code: 1, stderr: "" });
  expect(worse.stdout).toMatch(/: 0 known failures, 1 new, 1 fixed\n {4}new: atp\.response\.version\n$/);

  const gone = ["conform", "atp+http://127.0.0.1:1", "--only", "atp.response", "--baseline", "out/base.json"];
  const missing = await runCommand(gone, { folder });
  expect(missing.stdout).toMatch(
    /\nsince out\/base\.json: the agent could not be reached, so that nothing can be compared\n$/,
  );
  expect(missing.code).toBe(3);
});
