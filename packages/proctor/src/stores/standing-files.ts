// Notices that files were removed or replaced under the process that has them open: it would go on writing to files that nobody can find again.
import { statSync } from "node:fs";
import { ProctorError } from "../core/errors.ts";

interface StandingFiles {
  /** Throws STORE_UNAVAILABLE when a file is gone or replaced. Looks at most once a second unless `now`. */
  check(now?: boolean): void;
}

const LOOK_EVERY_MS = 1000;

/** Creates the check. A file that does not exist yet counts from when it is first seen. */
export function watchStanding(
  paths: readonly string[],
  clock: () => number = () => performance.now(),
): StandingFiles {
  const known = new Map<string, string>();
  let lookedAt = -Infinity;
  for (const path of paths) learn(path);

  function learn(path: string): void {
    const found = identityOf(path);
    if (found !== undefined) known.set(path, found);
  }

  return {
    check(now = false) {
      if (!now && clock() - lookedAt < LOOK_EVERY_MS) return;
      // After an error, the next call looks again at once.
      lookedAt = -Infinity;
      for (const path of paths) {
        const before = known.get(path);
        if (before === undefined) learn(path);
        else if (identityOf(path) !== before) throw gone(path);
      }
      lookedAt = clock();
    },
  };
}

function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

function gone(path: string): ProctorError {
  return new ProctorError(
    "STORE_UNAVAILABLE",
    `${path} was removed or replaced while it was in use\n` +
      `Nothing more is acknowledged. Put it back as it was, or stop this process and start it again.`,
  );
}
