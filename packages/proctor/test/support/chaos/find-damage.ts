// Looks at what chaos may have left outside the database: bytes that are gone or changed, and processes that still run.
import { createHash } from "node:crypto";
import { findMarked } from "../../../src/runtime/processes/strays.ts";
import { query } from "../postgres.ts";
import type { Cluster } from "./cluster.ts";

interface ArtifactRow {
  run_id: string;
  id: string;
  sha256: string;
}

const AT_ONCE = 8;

/** Every artifact that is recorded can be read at a hub, and has its hash; every completed run has its own. */
export async function findLostBytes({ url, hubs }: Cluster): Promise<string[]> {
  const [hub] = hubs;
  if (hub === undefined) return ["there is no hub"];
  // Rows are what the tables of Proctor hold.
  const artifacts = (await query(
    url,
    "select run_id, id, sha256 from artifacts where sha256 is not null",
  )) as ArtifactRow[];
  const completed = (await query(url, "select id from runs where status = 'completed'")) as { id: string }[];
  const owners = new Set(artifacts.map(({ run_id }) => run_id));
  const problems = completed
    .filter(({ id }) => !owners.has(id))
    .map(({ id }) => `run ${id} completed without its artifact`);
  for (let at = 0; at < artifacts.length; at += AT_ONCE) {
    const some = artifacts.slice(at, at + AT_ONCE).map(async ({ run_id, id, sha256 }) => {
      const response = await hub.process.send("GET", `/runs/${run_id}/artifacts/${id}/content`);
      const bytes = Buffer.from(await response.arrayBuffer());
      const found = createHash("sha256").update(bytes).digest("hex");
      if (!response.ok) return `artifact ${id} of run ${run_id} cannot be read: ${bytes.toString()}`;
      return found === sha256 ? [] : `artifact ${id} of run ${run_id} has another hash`;
    });
    problems.push(...(await Promise.all(some)).flat());
  }
  return problems;
}

/** The agents of a run that ended are gone, wherever their worker was killed. */
export function findLeftRunning({ marks }: Pick<Cluster, "marks">): string[] {
  return marks().flatMap((mark) =>
    findMarked("PROCTOR_HUB_ID", mark).map((pid) => `process ${pid} still runs`),
  );
}
