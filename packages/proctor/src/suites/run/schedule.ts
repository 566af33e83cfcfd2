// Decides which run starts next: in the order of the plan, within the limits of each agent and each case, and none of an agent
// that asked for a pause.
import type { PlannedCase } from "../plan.ts";
import { createCaseRun, type CaseRun, type NextRun } from "./case-run.ts";

export interface Started extends NextRun {
  caseRun: CaseRun;
  lane: Lane;
}

/** The runs of one agent. */
interface Lane {
  queue: Waiting[];
  inFlight: number;
  /** Most runs of the agent at once; lowered when it asks for fewer, and raised again as runs succeed. */
  limit: number;
  readonly most: number;
  pausedUntil: number;
}

/** A case that is not over. One that has not begun takes no memory yet. */
interface Waiting {
  index: number;
  planned: PlannedCase;
  run?: CaseRun;
}

interface Schedule {
  next(now: number): Started | undefined;
  /** Time at which a waiting run may start; undefined when only the end of a run changes anything. */
  nextDue(): number | undefined;
  /** Whether no run is left to start, now or later. */
  readonly empty: boolean;
  ended(started: Started): void;
  /** Starts a run again after infrastructure broke it. */
  retry(started: Started, retried: readonly string[], notBefore: number): void;
  /** Notes that the agent asked for fewer requests. */
  pause(lane: Lane, until: number): void;
}

/** How many cases of an agent are considered when the first of them may not start yet. */
const LOOK_AHEAD = 100;

export function createSchedule(cases: readonly PlannedCase[]): Schedule {
  const lanes = [...lanesOf(cases).values()];
  /** The agent whose turn it is, by test, where agents take turns. */
  const turns = new Map<unknown, PlannedCase>();

  function isTurn(planned: PlannedCase): boolean {
    if (planned.test.contest?.parallel !== false) return true;
    const holder = turns.get(planned.test);
    return holder === undefined || holder === planned;
  }

  function pick(lane: Lane, now: number): Started | undefined {
    if (lane.inFlight >= lane.limit || lane.pausedUntil > now) return undefined;
    for (let place = 0; place < Math.min(lane.queue.length, LOOK_AHEAD); place++) {
      const waiting = lane.queue[place];
      if (!waiting) break;
      const caseRun = (waiting.run ??= createCaseRun(waiting.planned, waiting.index));
      if (caseRun.exhausted) {
        lane.queue.splice(place--, 1);
        continue;
      }
      const next = isTurn(caseRun.planned) ? caseRun.next(now) : undefined;
      if (!next) continue;
      if (caseRun.planned.test.contest?.parallel === false) turns.set(caseRun.planned.test, caseRun.planned);
      lane.inFlight += 1;
      return { ...next, caseRun, lane };
    }
    return undefined;
  }

  return {
    next(now) {
      const order = [...lanes].sort(
        (a, b) => (a.queue[0]?.index ?? Infinity) - (b.queue[0]?.index ?? Infinity),
      );
      for (const lane of order) {
        const started = pick(lane, now);
        if (started) return started;
      }
      return undefined;
    },
    nextDue() {
      const times = lanes.flatMap((lane) => [
        ...(lane.queue.length > 0 && lane.pausedUntil > 0 ? [lane.pausedUntil] : []),
        ...lane.queue.slice(0, LOOK_AHEAD).flatMap(({ run }) => run?.nextDue() ?? []),
      ]);
      return times.length === 0 ? undefined : Math.min(...times);
    },
    get empty() {
      return lanes.every(({ queue }) => queue.every(({ run }) => run?.exhausted === true));
    },
    ended({ caseRun, lane }) {
      lane.inFlight -= 1;
      // Every run that went well raises the limit by one.
      if (lane.limit < lane.most) lane.limit += 1 / lane.limit;
      if (caseRun.over && turns.get(caseRun.planned.test) === caseRun.planned)
        turns.delete(caseRun.planned.test);
    },
    retry({ caseRun, lane, number }, retried, notBefore) {
      lane.inFlight -= 1;
      caseRun.again(number, retried, notBefore);
      if (lane.queue.some(({ run }) => run === caseRun)) return;
      lane.queue.unshift({ index: caseRun.index, planned: caseRun.planned, run: caseRun });
    },
    pause(lane, until) {
      lane.pausedUntil = Math.max(lane.pausedUntil, until);
      lane.limit = Math.max(1, Math.floor(Math.min(lane.limit, lane.inFlight + 1) / 2));
    },
  };
}

function lanesOf(cases: readonly PlannedCase[]): Map<unknown, Lane> {
  const lanes = new Map<unknown, Lane>();
  for (const [index, planned] of cases.entries()) {
    const { label, target } = planned.agent;
    // Agents of two suites may share a name: what they are decides.
    const name = typeof target === "string" ? target : `${label} ${JSON.stringify(target)}`;
    let lane = lanes.get(name);
    if (!lane) {
      const most = (typeof target === "string" ? undefined : target.concurrency) ?? Infinity;
      lane = { queue: [], inFlight: 0, limit: most, most, pausedUntil: 0 };
      lanes.set(name, lane);
    }
    lane.queue.push({ index, planned });
  }
  return lanes;
}
