// Where the programs of script tools live: what is asked of the environments.
import { expect, test } from "vitest";
import type { Environment, OpenEnvironment } from "../../core/ports/environments.ts";
import type { ScriptTool } from "../../core/script-tool.ts";
import { createScriptPlaces } from "./script-places.ts";

const { signal } = new AbortController();

async function askedFor(tool: Pick<ScriptTool, "environment" | "image" | "limits">) {
  let asked: OpenEnvironment | undefined;
  const ran: unknown[] = [];
  const environments = {
    open: async (request: OpenEnvironment) => {
      asked = request;
      // Only what a program needs of it.
      return {
        facts: {},
        run: async (command: unknown) => void ran.push(command),
        destroy: async () => {},
      } as unknown as Environment;
    },
  };
  const open = createScriptPlaces({ environments, hubId: "hub", hidden: [] });
  const place = await open({ tool, command: ["sh", "main.sh"], folder: "/somewhere", signal });
  await place.run({ command: ["sh", "main.sh"], timeoutMs: 1 });
  return { ...asked, ran };
}

test("the program of a script tool has no network, few processes and little disk, and the environment's own memory", async () => {
  const { options, ran, mounts, untracked } = await askedFor({});
  expect(options).toEqual({
    network: "none",
    workdir: "/tool",
    limits: { disk_mb: 64, processes: 64 },
    files: [{ source: "/somewhere", target: "/tool" }],
  });
  expect([mounts, untracked]).toEqual([[], true]);
  expect(ran).toEqual([{ command: ["sh", "main.sh"], timeoutMs: 1, env: { PROCTOR_HUB_ID: "hub" } }]);
});

test("the program of a script tool gets the memory that the tool asks for", async () => {
  const { options } = await askedFor({ limits: { memory_mb: 100 }, environment: "bwrap" });
  expect(options).toMatchObject({ kind: "bwrap", limits: { memory_mb: 100 } });
});

test("the program of a script tool with an image lives in a container, with nothing of this machine's", async () => {
  const asked = await askedFor({ image: "python:3" });
  expect(asked.options).toMatchObject({ kind: "container", image: "python:3", network: "none" });
  expect(asked).not.toHaveProperty("mounts");
});
