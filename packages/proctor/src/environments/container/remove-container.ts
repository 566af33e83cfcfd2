// Takes a container away, with all that runs in it and its anonymous volumes. Resolves when the engine no longer knows it.
import { setTimeout as pause } from "node:timers/promises";
import type Docker from "dockerode";
import { endMonitors } from "./end-monitors.ts";
import { statusOf, type Engine } from "./engine.ts";

const PATIENCE_MS = 30_000;

export async function removeContainer(
  { docker, name, local }: Pick<Engine, "docker" | "name" | "local">,
  id: string,
): Promise<void> {
  await remove(docker.getContainer(id));
  if (local && name === "podman") await endMonitors(id);
}

async function remove(container: Docker.Container): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  for (let wait = 20; ; wait = Math.min(wait * 2, 1000)) {
    try {
      await container.remove({ force: true, v: true });
      return;
    } catch (error) {
      if (statusOf(error) === 404) return;
      // 409: another process already removes it. 500: the engine is busy with it, for example with a program that starts.
      if (statusOf(error) === undefined || Date.now() > until) throw error;
    }
    await pause(wait);
  }
}
