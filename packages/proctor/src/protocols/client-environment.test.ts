import { expect, it } from "vitest";
import type { Agent } from "../core/agent.ts";
import { checkClientEnvironment } from "./client-environment.ts";

const program = { protocol: "atp", transport: "stdio", command: ["node", "a.mjs"] };

function hubWith(client_env: string[]): { asked: string[]; agent: (name: string) => Promise<Agent> } {
  const asked: string[] = [];
  return {
    asked,
    async agent(name) {
      asked.push(name);
      return { name, address: "atp+stdio:node a.mjs", created_at: "", ...program, client_env };
    },
  };
}

it("the environment of a client needs the agent's registration only where a variable could load code", async () => {
  const hub = hubWith([]);
  await checkClientEnvironment(hub, "writer", { API_KEY: "x" });
  await checkClientEnvironment(hub, "writer", undefined);
  expect(hub.asked).toEqual([]);
  await expect(checkClientEnvironment(hub, "writer", { LD_PRELOAD: "x" })).rejects.toThrow(/LD_PRELOAD/);
  expect(hub.asked).toEqual(["writer"]);
});

it("the environment of a client may hold what the agent's registration allows", async () => {
  await expect(
    checkClientEnvironment(hubWith(["LD_PRELOAD"]), "writer", { LD_PRELOAD: "x" }),
  ).resolves.toBeUndefined();
});

it.each(["atp+stdio:node a.mjs", program])(
  "the environment of a client may not load code into %j, which nobody registered",
  async (agent) => {
    await expect(checkClientEnvironment(hubWith([]), agent, { PATH: "/nowhere" })).rejects.toThrow(/PATH/);
  },
);
