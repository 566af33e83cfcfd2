// Writes each trial as it ends, while others go on.
import { mkdirSync } from "node:fs";
import type { Hub } from "../core/ports/hub.ts";
import type { Verification, Verify } from "../core/ports/verify.ts";
import type { PlannedCase } from "../suites/plan.ts";
import type { Reporter } from "../suites/reporter.ts";
import type { AttemptResult } from "../suites/result.ts";
import { writeTrial } from "./trial-files.ts";

interface TrialReporter {
  reporter: Reporter;
  /** Wraps `verify` so that what the tests wrote is kept until the trial has been written. */
  watching(verify: Verify): Verify;
  /** Resolves when all trials are written. Rejects with the first error. */
  settled(): Promise<void>;
}

export function createTrialReporter(options: {
  folder: string;
  version: string;
  hub: () => Hub;
}): TrialReporter {
  const verifications = new Map<string, Verification>();
  const writing = new Set<Promise<void>>();
  let trouble: { error: unknown } | undefined;

  async function write(planned: PlannedCase, attempt: AttemptResult, runId: string): Promise<void> {
    const hub = options.hub();
    const verification = verifications.get(runId);
    verifications.delete(runId);
    const run = await hub.run(runId);
    const name = trialName(planned, attempt.number);
    await writeTrial(
      { name, run, attempt, ...(verification && { verification }) },
      { folder: options.folder, hub, version: options.version },
    );
  }

  return {
    reporter: {
      start: () => void mkdirSync(options.folder, { recursive: true }),
      attemptEnded(planned, attempt) {
        const { runId } = attempt;
        if (runId === undefined) return;
        const written = write(planned, attempt, runId)
          .catch((error: unknown) => void (trouble ??= { error }))
          .finally(() => writing.delete(written));
        writing.add(written);
      },
      caseEnded() {},
      end() {},
    },
    watching: (verify) => async (request, signal) => {
      const done = await verify(request, signal);
      verifications.set(request.runId, done);
      return done;
    },
    async settled() {
      await Promise.all(writing);
      if (trouble) throw trouble.error;
    },
  };
}

/** Returns a name such as `fix-git__oracle__1`, which is a valid folder name whatever the agent is called. */
function trialName({ test, agent }: PlannedCase, number: number): string {
  const plain = (text: string): string =>
    text
      .replaceAll(/[^\w.-]+/g, "-")
      .replaceAll(/^[.-]+|-+$/g, "")
      .slice(0, 60);
  return `${plain(test.id)}__${plain(agent.label)}__${number}`;
}
