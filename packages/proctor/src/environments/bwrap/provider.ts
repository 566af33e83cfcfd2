// Environments by bubblewrap over overlayfs: name spaces and a file system of their own, on this machine's kernel, in milliseconds.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { EnvironmentReport } from "../../core/ports/environments.ts";
import type { Provider } from "../provider.ts";
import { refuse } from "../refuse.ts";
import { createHostLayers } from "./host-layers.ts";
import { lookAtMachine } from "./machine.ts";
import { openEnvironment, type OpenDeps } from "./open-environment.ts";
import { probe } from "./probe.ts";
import { seccompFilter } from "./seccomp.ts";
import { sweep } from "./sweep.ts";

export function createBwrapProvider(options: { stateDir: string }): Provider {
  const stateDir = resolve(options.stateDir);
  const own = join(stateDir, "bwrap");
  const live = join(own, "live");
  let prepared: OpenDeps | undefined;
  let report: Promise<EnvironmentReport> | undefined;

  function prepare(): OpenDeps {
    if (prepared !== undefined) return prepared;
    const looked = lookAtMachine();
    if ("missing" in looked)
      throw refuse(`bwrap is not available here: not found: ${looked.missing.join(", ")}`, [
        "apt-get install bubblewrap",
      ]);
    const { machine } = looked;
    mkdirSync(live, { recursive: true, mode: 0o700 });
    prepared = {
      machine,
      stateDir,
      liveDir: live,
      layers: createHostLayers(join(own, "layers"), machine, stateDir),
      filter: writeFilter(own),
    };
    return prepared;
  }

  const open: Provider["open"] = async (request) => openEnvironment(prepare(), request);

  return {
    kind: "bwrap",
    probe: () => (report ??= probe(open)),
    open,
    sweep: () => sweep(live, stateDir),
  };
}

/** Writes the filter and returns its path; undefined on an architecture whose system calls are not known. */
function writeFilter(dir: string): string | undefined {
  const filter = seccompFilter(process.arch);
  if (filter === undefined) return undefined;
  const path = join(dir, `filter-${createHash("sha256").update(filter).digest("hex").slice(0, 16)}`);
  if (!existsSync(path)) {
    writeFileSync(`${path}.${process.pid}`, filter);
    renameSync(`${path}.${process.pid}`, path);
  }
  return path;
}
