// Refuses what a container of this engine cannot be.
import type Docker from "dockerode";
import type { PreparedEnvironment } from "../provider.ts";
import { refuse } from "../refuse.ts";
import type { Engine } from "./engine.ts";

export function refuseImpossible(
  engine: Engine,
  { mounts = [], readOnly, restore, over }: PreparedEnvironment,
): void {
  if (mounts.length > 0 && !engine.local) {
    throw refuse(
      `${engine.name} at ${engine.address} runs on another machine and cannot mount directories of this one`,
      ["use an engine of this machine, or the environment bwrap"],
    );
  }
  if (readOnly === true && (restore ?? over) !== undefined) {
    throw refuse("a container that cannot be written cannot begin with a snapshot", [
      "use the environment bwrap",
    ]);
  }
}

/** Refuses a container that has ended: an image without `sleep` or a shell can run nothing. */
export async function refuseIfEnded(container: Docker.Container, name: string): Promise<void> {
  const { State: state } = await container.inspect();
  if (state.Running) return;
  throw refuse(`a container of ${name} ended at once with exit code ${state.ExitCode}`, [
    "its image needs /bin/sh and sleep",
  ]);
}
