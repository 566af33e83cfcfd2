// The names of the artifacts that hold the files of a terminal after a step.

const NAME = /^terminal\/snapshots\/step-(\d+)\.tar$/;

export function snapshotPath(step: number): string {
  return `terminal/snapshots/step-${step}.tar`;
}

/** Returns the number of the step; undefined for any other artifact. */
export function snapshotStep(path: string): number | undefined {
  const [, step] = NAME.exec(path) ?? [];
  return step === undefined ? undefined : Number(step);
}
