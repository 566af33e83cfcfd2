// Where the programs behind tools live: what is asked of the environments, and that nothing of ours goes in.
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Environment, OpenEnvironment } from "../../core/ports/environments.ts";
import { startHere } from "../../runtime/processes/start-here.ts";
import { createToolPlaces } from "./tool-places.ts";

let folder: string;
beforeAll(async () => {
  // Not in the memory that tests may have for their files: that is a device, and no environment shows it.
  folder = await realpath(await mkdtemp("/tmp/proctor-places-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a program of tools is started in an environment with its folder and the network it was granted", async () => {
  const asked: OpenEnvironment[] = [];
  let open = 0;
  const place: Pick<Environment, "start" | "destroy"> = {
    start: ({ command, env = {} }) => startHere({ command, env: { ...env } }),
    destroy: async () => void open--,
  };
  const environments = {
    open: async (request: OpenEnvironment) => {
      asked.push(request);
      open++;
      return place as Environment;
    },
  };
  const { signal } = new AbortController();
  const openPlace = createToolPlaces({ environments, hubId: "hub", hidden: [] });
  const environment = { kind: "bwrap", network: "allow-list", allow_hosts: ["example.com"] } as const;
  const opened = await openPlace({
    id: "run-tools-0",
    environment: { ...environment, allow_hosts: ["example.com"] },
    command: ["sh"],
    cwd: folder,
    signal,
  });
  expect(asked).toEqual([
    {
      id: "run-tools-0",
      role: "agent",
      options: { kind: "bwrap", network: "allow-list", allow_hosts: ["example.com"], workdir: folder },
      mounts: [{ source: folder, target: folder }],
      readOnly: true,
      signal,
    },
  ]);
  const lines: string[] = [];
  for await (const batch of opened.startProcess({ command: ["/usr/bin/env"], env: { TOKEN: "t" } })) {
    for (const item of batch) if (item.kind === "line") lines.push(item.text ?? "");
  }
  expect(lines.sort()).toEqual(["PROCTOR_HUB_ID=hub", "TOKEN=t"]);
  await opened.close();
  expect(open).toBe(0);
});
