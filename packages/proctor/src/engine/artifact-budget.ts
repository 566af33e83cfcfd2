// Bytes that the artifacts of one run may have. They are checked before a file is read, and again while it is: files grow.
import type { ArtifactLimits } from "../core/artifact.ts";

export interface ArtifactBudget {
  /** Throws NotKept when one artifact may not have this many bytes, or the run has fewer left. */
  check(sizeBytes: number): void;
  /** Counts bytes that were kept. */
  spend(sizeBytes: number): void;
}

/** Thrown when the bytes of an artifact are not kept; its record says why. */
export class NotKept extends Error {
  /** Bytes of the artifact, as far as their number is known. */
  readonly sizeBytes: number | undefined;
  /** The rule that the agent broke with the artifact, if it did. */
  readonly rule: string | undefined;

  constructor(why: string, options: { sizeBytes?: number; rule?: string; cause?: unknown } = {}) {
    super(why, { cause: options.cause });
    this.sizeBytes = options.sizeBytes;
    this.rule = options.rule;
  }
}

export function createArtifactBudget({ fileBytes, runBytes }: ArtifactLimits): ArtifactBudget {
  let usedBytes = 0;
  return {
    check(sizeBytes) {
      const rule = "artifact.too_large";
      if (sizeBytes > fileBytes) {
        throw new NotKept(`it has more than the ${fileBytes} bytes that an artifact may have`, {
          sizeBytes,
          rule,
        });
      }
      if (usedBytes + sizeBytes > runBytes) {
        const why = `with it the run's artifacts would have more than ${runBytes} bytes`;
        throw new NotKept(why, { sizeBytes, rule });
      }
    },
    spend(sizeBytes) {
      usedBytes += sizeBytes;
    },
  };
}
