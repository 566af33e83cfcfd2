// What a hub in this process offers in addition to runs (document 004), put together from its parts.
import type { Access } from "../../access/open-access.ts";
import { createConformanceReports } from "../../agents/conformance-reports.ts";
import type { LiveRegistry } from "../../agents/live-registry.ts";
import type { Prober } from "../../agents/prober.ts";
import type { ArtifactService } from "../../core/ports/artifact-service.ts";
import type { Evaluations } from "../../core/ports/evaluations.ts";
import type { Goals } from "../../core/ports/goals.ts";
import type { TellPeople } from "../../engine/tell-people.ts";
import type { Platform } from "../../core/ports/platform.ts";
import type { ScriptTools } from "../../core/ports/script-tools.ts";
import type { Authority } from "../../core/ports/tokens.ts";
import type { Config } from "../config/load-config.ts";
import { openMessages, type OpenMessagesDeps } from "./open-messages.ts";
import { openDoubles } from "./open-doubles.ts";
import { openWorkers } from "./open-workers.ts";
import { openProber } from "./open-prober.ts";
import type { OpenRegistryDeps } from "./open-registry.ts";
import type { PublishedRunAccess } from "./run-access.ts";

export interface OpenPlatform extends Platform {
  registry: LiveRegistry;
  /** Authority that every endpoint of this hub asks who the caller is, and what it may do. */
  authority: Authority;
  /** Tells agents' programs where the hub is. */
  runAccess: PublishedRunAccess;
  /** Starts what a hub does besides answering requests; a command never calls it. */
  start(): Promise<void>;
  /** Writes what waits to be written. Call it before the store is closed. */
  close(): Promise<void>;
}

export interface OpenPlatformDeps
  extends
    Pick<OpenRegistryDeps, "store" | "sealer" | "clock" | "report">,
    Pick<OpenMessagesDeps, "hub" | "log" | "agents" | "mail"> {
  access: Access;
  artifacts: ArtifactService;
  evaluations: Evaluations;
  goals: Goals;
  registry: LiveRegistry;
  runAccess: PublishedRunAccess;
  people: TellPeople;
  scriptTools: ScriptTools & { close(): Promise<void> };
}

export function openPlatform(config: Config, deps: OpenPlatformDeps): OpenPlatform {
  const { access, evaluations, goals, hub, registry, runAccess, scriptTools } = deps;
  const { tokens, authority } = access;
  const messages = openMessages(config, { ...deps, registry: () => registry });
  let prober: Prober | undefined;
  return {
    conformance: createConformanceReports({ artifacts: deps.artifacts, hub }),
    evaluations,
    goals,
    messages,
    registry,
    scriptTools,
    tokens,
    workers: openWorkers(deps.store, deps.clock),
    doubles: openDoubles(deps.store, deps.clock),
    authority,
    runAccess,
    async start() {
      await registry.start();
      await messages.start();
      await deps.people.start();
      prober = openProber(config, registry, hub, deps);
      prober?.start();
    },
    async close() {
      await prober?.close();
      await deps.people.settled();
      await messages.close();
      await scriptTools.close();
      await registry.close();
      await access.close();
    },
  };
}
