// `proctor doctor`: looks at what runs need of this machine, and says what there is.
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { exists } from "../../../runtime/files/exists.ts";
import type { MachineEnvironments, ToolchainReport } from "../../compose/serve-environments.ts";
import type { Config } from "../../config/load-config.ts";
import { loadHubConfig, type CommandContext } from "../../compose/compose.ts";
import { reasonOf } from "../../../hub/http-client.ts";
import { lockFileOf, readLock } from "../../../hub/hub-lock.ts";
import { createScreen } from "../../terminal/screen.ts";
import { version } from "../../version.ts";
import { renderFindings, type Findings, type HubFinding } from "./doctor-report.ts";
import { withinTime } from "../../../runtime/time/within-time.ts";
import type { DocumentFlags } from "../../flags.ts";

/** Exit code when something that runs need is missing. */
const EXIT_UNAVAILABLE = 3;
const HUB_PATIENCE_MS = 3000;

export async function examineMachine(flags: DocumentFlags, context: CommandContext): Promise<number> {
  const config = await loadHubConfig(context, flags);
  const environments = await context.composition.openEnvironments(config);
  try {
    const findings = await examine(config, environments, context.io.signal);
    const screen = createScreen(context.io);
    if (flags.json === true) screen.printJson(findings);
    else screen.print(...renderFindings(findings, screen));
    return findings.ok ? 0 : EXIT_UNAVAILABLE;
  } finally {
    await environments.close();
  }
}

async function examine(
  config: Config,
  environments: MachineEnvironments,
  signal: AbortSignal,
): Promise<Findings> {
  const [reports, toolchain, dataDir, hub] = await Promise.all([
    environments.probe(),
    toolchainOf(environments),
    dataDirOf(config),
    hubOf(config, signal),
  ]);
  signal.throwIfAborted();
  const found = reports.map((report) => {
    return {
      ...report,
      isolated: report.kind !== "local",
      enabled: report.kind !== "local" || config.unsafeLocal,
    };
  });
  const { python = null, pytest = null, notes } = toolchain;
  return {
    ok: found.some(({ available, isolated }) => available && isolated),
    version: version(),
    environments: found,
    toolchain: { python, pytest, notes },
    node: { version: process.versions.node },
    data_dir: dataDir,
    hub,
  };
}

/** Turns whatever is wrong with the toolchain into a finding. */
async function toolchainOf(environments: MachineEnvironments): Promise<ToolchainReport> {
  try {
    return await environments.toolchain();
  } catch (error) {
    return { python: undefined, pytest: undefined, notes: [reasonOf(error)] };
  }
}

/** Looks whether the directory could be made and written, without making it. */
async function dataDirOf({ dataDir }: Config): Promise<Findings["data_dir"]> {
  try {
    let place = dataDir;
    while (!(await exists(place)) && dirname(place) !== place) place = dirname(place);
    if (!(await stat(place)).isDirectory()) throw new Error(`${place} is not a directory`);
    await access(place, constants.W_OK | constants.X_OK);
    return { path: dataDir, writable: true, reason: null };
  } catch (error) {
    return { path: dataDir, writable: false, reason: reasonOf(error) };
  }
}

async function hubOf({ hubUrl, databaseFile }: Config, signal: AbortSignal): Promise<HubFinding> {
  const holder = hubUrl === undefined ? await readLock(lockFileOf(databaseFile)) : undefined;
  const url = hubUrl ?? holder?.url ?? null;
  if (url === null) return { url: null, running: false, command: holder?.command ?? null, reason: null };
  try {
    const health = new URL("healthz", url.endsWith("/") ? url : `${url}/`);
    const response = await withinTime(signal, HUB_PATIENCE_MS, async (limit) => {
      const answer = await fetch(health, { signal: limit });
      await answer.body?.cancel();
      return answer;
    });
    const reason = response.ok ? null : `it answers with ${response.status}`;
    return { url, running: response.ok, command: holder?.command ?? null, reason };
  } catch (error) {
    return { url, running: false, command: holder?.command ?? null, reason: reasonOf(error) };
  }
}
