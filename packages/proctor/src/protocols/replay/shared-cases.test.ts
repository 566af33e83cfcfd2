// Drivers' shared cases on recordings: each agent is recorded over HTTP first, and its recording is played in its place.
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ATP_WORDS } from "../../../test/support/atp/driver-words.ts";
import { httpStage } from "../../../test/support/atp/stages.ts";
import { REPLAY_SKIPS } from "../../../test/support/protocols/driver-skips.ts";
import type { Stage } from "../../../test/support/protocols/puppet.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { AgentSpec } from "../../core/agent.ts";
import { describeDriver } from "../protocol.case.ts";
import { createDriverLookup } from "../registry.ts";

const folder = temporaryFolder("replay-cases");
const drivers = createDriverLookup({ hubId: "case" });

/** Has the agent do a task, and writes down what it said. */
async function record(spec: AgentSpec): Promise<string> {
  const runId = randomUUID();
  const { signal } = new AbortController();
  const task = { description: "do it" };
  const session = drivers(spec).open(
    { runId, spec, task, constraints: {}, context: {}, metadata: {}, traceId: "0".repeat(32), record: true },
    { cancel: signal, kill: signal },
  );
  const { protocol, transport } = spec;
  const recorded_at = "2026-01-02T03:04:05Z";
  const lines: object[] = [
    {
      proctor_recording: 1,
      protocol,
      transport,
      agent: "atp+http://127.0.0.1:1",
      task,
      recorded_at,
      run_id: runId,
    },
  ];
  for await (const report of session) {
    if (report.kind === "event" && report.event.type === "wire.message") {
      lines.push({ at_ms: 0, ...report.event.payload });
    }
  }
  const file = join(folder, `${runId}.jsonl`);
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return file;
}

const replayStage: Stage = {
  name: "a recording",
  carriesText: true,
  async raise(play) {
    const puppet = await httpStage.raise(play);
    try {
      const url = `file:${await record(puppet.spec)}`;
      return { spec: { protocol: "replay", transport: "file", url }, close: () => Promise.resolve() };
    } finally {
      await puppet.close();
    }
  },
};

describeDriver(replayStage, { ...ATP_WORDS, skips: REPLAY_SKIPS });
