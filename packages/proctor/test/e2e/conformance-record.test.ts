// What `proctor conform` leaves in the hub that knows the agent: over HTTP, in this process, and when the hub refuses it.
import { describe, expect, it } from "vitest";
import { formatAddress } from "../../src/core/address.ts";
import type { ConformanceReport } from "../../src/core/conformance-report.ts";
import { HANG_MS } from "../support/eventually.ts";
import { startHubProcess } from "../support/hub-process.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { shellFixture } from "../support/test-hub.ts";

/** Answers well, whatever it is sent: some forty programs are started for a report, and this one starts in no time. */
const AGENT = formatAddress(shellFixture("ok"));

const REPORT: ConformanceReport = {
  protocol: "atp",
  title: "ATP 1.0",
  transport: "stdio",
  proctor_version: "1.0.0",
  checked_at: "2026-01-01T00:00:00.000Z",
  strict: false,
  reachable: true,
  verdict: "pass",
  counts: { passed: 1, failed: 0, warnings: 0, advice: 0, disputed: 0, unevaluated: 0 },
  broken: [],
};

describe("The conformance report of a registered agent", { timeout: HANG_MS }, () => {
  it("is kept by a running hub, the newest of each protocol, with the rules that were broken", async () => {
    const hub = await startHubProcess({ folder: temporaryFolder("conformance-record") });
    const list = async () =>
      (await hub.get<{ items: ConformanceReport[] }>("/agents/tried/conformance")).items;
    try {
      await hub.post("/agents", { name: "tried", address: AGENT });
      expect(await list()).toEqual([]);
      await hub.send("PUT", "/agents/tried/conformance", { json: REPORT });
      await hub.send("PUT", "/agents/tried/conformance", { json: { ...REPORT, protocol: "other" } });
      expect((await list()).map(({ protocol, verdict }) => [protocol, verdict])).toEqual([
        ["atp", "pass"],
        ["other", "pass"],
      ]);
      const folder = temporaryFolder("conformance-client");
      const tried = await runCommand(["conform", "tried", "--hub", hub.url, "--timeout", "60"], { folder });
      expect(tried).toMatchObject({ code: 1, stderr: "" });
      const [atp, other, ...more] = await list();
      expect([other?.protocol, more.length]).toEqual(["other", 0]);
      expect(atp).toMatchObject({ protocol: "atp", transport: "stdio", verdict: "fail", reachable: true });
      const failed = atp?.broken.filter(({ grade }) => grade === "failed") ?? [];
      expect(failed.length).toBe(atp?.counts.failed);
      expect(failed[0]).toMatchObject({ owner: "document", level: "must" });
      expect(failed[0]?.section).toBeTruthy();
      // Some rules alone say nothing about the whole.
      const some = ["conform", "tried", "--hub", hub.url, "--only", "atp.event", "--timeout", "60"];
      await runCommand(some, { folder });
      expect((await list())[0]?.checked_at).toBe(atp?.checked_at);
      const forged = await hub.send("PUT", "/artifacts/proctor/conformance/tried/atp.json", { json: {} });
      expect(forged.status).toBe(403);
      const wrong = await hub.send("PUT", "/agents/tried/conformance", { json: { ...REPORT, more: 1 } });
      expect(wrong.status).toBe(400);
      const nobody = await hub.send("PUT", "/agents/nobody/conformance", { json: REPORT });
      expect(nobody.status).toBe(404);
    } finally {
      await hub.stop();
    }
  });

  it("is kept in the data directory where no hub runs", async () => {
    const folder = temporaryFolder("conformance-here");
    await runCommand(["agents", "add", "good", AGENT], { folder });
    const named = await runCommand(["conform", "good", "--timeout", "60"], { folder });
    expect(named.stderr).toBe("");
    const hub = await startHubProcess({ folder });
    try {
      const { items } = await hub.get<{ items: ConformanceReport[] }>("/agents/good/conformance");
      expect(items).toMatchObject([{ protocol: "atp", reachable: true }]);
    } finally {
      await hub.stop();
    }
  });
});
