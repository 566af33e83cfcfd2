// The card of an agent from its registration: what it says of itself, its skills, and their schemas.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AgentCard } from "@a2a-js/sdk";
import { openHubStage, type HubStage } from "../../../../test/support/a2a/hub-stage.ts";
import type { AgentProfile } from "../../../core/agent-profile.ts";

let stage: HubStage;
beforeEach(async () => {
  stage = await openHubStage();
});
afterEach(() => stage.close());

async function cardOf(profile: AgentProfile, version = "1.0") {
  const spec = { name: "worker", protocol: "atp", transport: "stdio", command: ["worker"] };
  await stage.hub.addAgent({ ...spec, ...profile }, { replace: true });
  const headers = { "a2a-version": version };
  return (await stage.send("GET", "/.well-known/agent-card.json", { headers })).body;
}

const INPUT = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const OUTPUT = { type: "array", items: { type: "string" } };
const PROFILE: AgentProfile = {
  description: "Plans days",
  version: "2.1",
  capabilities: [
    {
      name: "plan",
      description: "Plans a day",
      parameters: INPUT,
      returns: OUTPUT,
      tags: ["travel"],
      examples: ["Oslo"],
    },
    { name: "chat" },
  ],
};

describe("the card of a registered agent", () => {
  it("has the agent's description, version and capabilities as skills, and their schemas as an extension", async () => {
    const card = await cardOf(PROFILE);
    expect(card).toMatchObject({
      name: "worker",
      description: "Plans days",
      version: "2.1",
      skills: [
        { id: "plan", name: "plan", description: "Plans a day", tags: ["travel"], examples: ["Oslo"] },
        { id: "chat", name: "chat", description: "chat", tags: ["proctor"] },
      ],
    });
    expect(card.capabilities.extensions).toEqual([
      {
        uri: "urn:proctor:a2a:skill-schemas",
        description: expect.any(String),
        params: { skills: { plan: { inputSchema: INPUT, outputSchema: OUTPUT } } },
      },
    ]);
    // The official SDK reads it, too.
    expect(AgentCard.fromJSON(card).capabilities?.extensions[0]?.params).toEqual(
      card.capabilities.extensions[0].params,
    );
  });

  it("has the same in 0.3", async () => {
    expect(await cardOf(PROFILE, "0.3")).toMatchObject({
      skills: [{ id: "plan" }, { id: "chat" }],
      capabilities: { extensions: [{ params: { skills: { plan: { inputSchema: INPUT } } } }] },
    });
  });

  it("says something of an agent that says nothing of itself, and names no extension", async () => {
    const card = await cardOf({});
    expect(card.description).toContain("worker");
    expect(card.skills).toHaveLength(1);
    expect(card.capabilities).not.toHaveProperty("extensions");
  });

  it("says nothing of how the agent is reached, and its runs nothing of the card", async () => {
    const card = await cardOf(PROFILE);
    expect(JSON.stringify(card)).not.toContain("stdio");
    const { run } = await stage.hub.submit({ agent: "worker", task: { description: "go" } });
    const [created] = await stage.hub.events(run.id, { limit: 1 });
    expect(created?.type === "run.created" && created.payload.spec).toEqual({
      protocol: "atp",
      transport: "stdio",
      command: ["worker"],
    });
  });
});
