// The newest conformance reports of agents, kept as artifacts outside runs: one for each agent and protocol.
import type { ConformanceReport } from "../core/conformance-report.ts";
import { ProctorError } from "../core/errors.ts";
import { HUB_APP } from "../core/artifact-key.ts";
import { MAX_PAGE_LIMIT } from "../core/page.ts";
import type { ArtifactService } from "../core/ports/artifact-service.ts";
import type { ConformanceReports } from "../core/ports/conformance-reports.ts";
import type { Hub } from "../core/ports/hub.ts";
import type { SavedArtifact } from "../core/saved-artifact.ts";
import { createSerial } from "../core/serial.ts";

interface ConformanceReportsDeps {
  artifacts: ArtifactService;
  hub: Pick<Hub, "agent">;
}

export function createConformanceReports({ artifacts, hub }: ConformanceReportsDeps): ConformanceReports {
  const serial = createSerial();
  const scopeOf = (agent: string) => ({ app: HUB_APP, user: "conformance", session: agent });

  async function read(artifact: SavedArtifact): Promise<ConformanceReport> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of artifacts.read(artifact)) chunks.push(chunk);
    // Only `record` writes here.
    return JSON.parse(Buffer.concat(chunks).toString()) as ConformanceReport;
  }

  return {
    async record(agent, report) {
      await hub.agent(agent);
      const key = { ...scopeOf(agent), name: `${report.protocol}.json` };
      const content = Buffer.from(JSON.stringify(report));
      await serial(JSON.stringify(key), async () => {
        await removeEarlier(artifacts, key);
        await artifacts.save(key, { content, mimeType: "application/json" });
      });
      return report;
    },
    async list(agent) {
      await hub.agent(agent);
      const { items } = await artifacts.list(scopeOf(agent), { limit: MAX_PAGE_LIMIT });
      return Promise.all(items.map(read));
    },
  };
}

async function removeEarlier(
  artifacts: ArtifactService,
  key: Parameters<ArtifactService["remove"]>[0],
): Promise<void> {
  try {
    await artifacts.remove(key);
  } catch (error) {
    if (!ProctorError.is(error) || error.code !== "ARTIFACT_NOT_FOUND") throw error;
  }
}
