// A hub in memory whose runs follow a script, for tests of the runner.
import type { Artifact } from "../../../src/core/artifact.ts";
import { ProctorError } from "../../../src/core/errors.ts";
import type { EventDraft, RunEvent } from "../../../src/core/event.ts";
import type { Failure } from "../../../src/core/failure.ts";
import type { Metrics } from "../../../src/core/metrics.ts";
import type { Hub, RunRequest } from "../../../src/core/ports/hub.ts";
import type { Run, TerminalStatus } from "../../../src/core/run.ts";

/** How a run of the double goes. */
export interface Script {
  status?: TerminalStatus;
  failure?: Failure;
  events?: EventDraft[];
  artifacts?: { artifact: Artifact; text: string }[];
  metrics?: Metrics;
  /** The run ends only when this resolves, or when it is cancelled. */
  until?: Promise<void>;
}

export interface HubDouble extends Pick<
  Hub,
  "submit" | "follow" | "run" | "runs" | "events" | "readArtifact" | "cancel"
> {
  requests: RunRequest[];
  cancelled: string[];
  most: number;
}

/** A hub in memory whose runs follow a script, chosen by the request. */
export function hubDouble(script: (request: RunRequest, index: number) => Script): HubDouble {
  const runs = new Map<
    string,
    { run: Run; script: Script; log: RunEvent[]; stop: () => void; stopped: Promise<void> }
  >();
  let inFlight = 0;
  const get = (id: string) => {
    const found = runs.get(id);
    if (!found) throw new ProctorError("RUN_NOT_FOUND", id);
    return found;
  };
  const hub: HubDouble = {
    requests: [],
    cancelled: [],
    most: 0,
    submit(request) {
      const scripted = script(request, hub.requests.push(request) - 1);
      hub.most = Math.max(hub.most, ++inFlight);
      const id = `run-${runs.size}`;
      let stop = (): void => undefined;
      const stopped = new Promise<void>((resolve) => {
        stop = resolve;
      });
      const log = (scripted.events ?? []).map((draft, sequence): RunEvent =>
        Object.assign({ run_id: id, sequence, timestamp: "" }, draft),
      );
      const run = {
        id,
        status: "running",
        task: request.task,
        constraints: request.constraints ?? {},
        options: request.options ?? {},
        alias: request.alias ?? null,
        metrics: scripted.metrics ?? {},
        artifacts: [],
        failure: null,
        created_at: "2026-01-01T00:00:00.000Z",
        started_at: "2026-01-01T00:00:00.000Z",
        ended_at: "2026-01-01T00:00:01.000Z",
      } as unknown as Run;
      runs.set(id, { run, script: scripted, log, stop, stopped });
      return Promise.resolve({ run, created: true });
    },
    async *follow(id) {
      const { run, script: scripted, log, stopped } = get(id);
      yield* log;
      if (scripted.until) await Promise.race([scripted.until, stopped]);
      inFlight -= 1;
      run.artifacts = (scripted.artifacts ?? []).map(({ artifact }) => artifact);
      run.failure = scripted.failure ?? null;
      if (run.status === "running") run.status = scripted.status ?? "completed";
    },
    run: (id) => Promise.resolve(get(id).run),
    runs({ alias, status }) {
      const items = [...runs.values()]
        .map(({ run }) => run)
        .filter((run) => run.alias === alias && (status?.includes(run.status) ?? true))
        .toReversed();
      return Promise.resolve({ items, next_cursor: null });
    },
    events: (id, { after = -1, limit = 100 }) =>
      Promise.resolve(
        get(id)
          .log.filter(({ sequence }) => sequence > after)
          .slice(0, limit),
      ),
    readArtifact(id, artifactId) {
      const found = get(id).script.artifacts?.find(({ artifact }) => artifact.id === artifactId);
      if (!found) return Promise.reject(new ProctorError("ARTIFACT_NOT_FOUND", artifactId));
      return Promise.resolve(
        (async function* () {
          // In pieces, because that is how a hub streams.
          for (const char of found.text) yield new TextEncoder().encode(char);
        })(),
      );
    },
    cancel(id) {
      hub.cancelled.push(id);
      const { run, stop } = get(id);
      run.status = "cancelled";
      stop();
      return Promise.resolve(run);
    },
  };
  return hub;
}

// The rest of the hub is not used here: calling it would throw.
export const asHub = (hub: HubDouble): Hub => hub as unknown as Hub;
