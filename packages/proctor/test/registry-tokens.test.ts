// Agents that register on a whole hub with tokens: what their tokens are good for, and for how long.
import { describe, expect, it } from "vitest";
import { serveHub } from "./support/serve-hub.ts";

const registered = { name: "team.adder", capabilities: [{ name: "add", description: "adds" }] };
const enrolment = { kind: "enrol", scopes: [], binding: { kind: "folder", name: "team" } } as const;

async function enrolled() {
  const hub = await serveHub();
  const { secret } = await hub.issue({ ...enrolment, scopes: [] });
  const answer = await hub.send("POST", "/registry/agents", { token: secret, json: registered });
  expect(answer.status).toBe(201);
  const { token, instance } = (await answer.json()) as { token: string; instance: string };
  const beat = () => hub.send("POST", "/registry/agents/team.adder/heartbeat", { token, json: { instance } });
  return { hub, secret, token, beat };
}

describe("an agent that registers with an enrolment token", () => {
  it("beats with the token that it got, and the enrolment token is used up", async () => {
    const { hub, secret, beat } = await enrolled();
    expect((await beat()).status).toBe(200);
    const again = await hub.send("POST", "/registry/agents", {
      token: secret,
      json: { name: "team.second" },
    });
    expect(again.status).toBe(401);
  });

  it("cannot take the name of another, and may then choose its own", async () => {
    const { hub } = await enrolled();
    const { secret } = await hub.issue({ ...enrolment, scopes: [] });
    const taken = await hub.send("POST", "/registry/agents", { token: secret, json: registered });
    expect([taken.status, await taken.json()]).toMatchObject([409, { code: "AGENT_EXISTS" }]);
    const own = await hub.send("POST", "/registry/agents", { token: secret, json: { name: "team.own" } });
    expect(own.status).toBe(201);
  });

  it.each([
    ["the registry", "/registry/agents/team.adder"],
    ["the list of agents", "/agents/team.adder"],
  ])("loses its token when it is removed from %s", async (_, path) => {
    const { hub, token, beat } = await enrolled();
    expect((await hub.send("DELETE", path, { token: hub.operator })).status).toBe(204);
    expect((await beat()).status).toBe(401);
    await hub.send("POST", "/registry/agents", { token: hub.operator, json: registered });
    const mail = await hub.send("GET", "/messages?for=team.adder&wait=0", { token });
    expect(mail.status).toBe(401);
  });

  it("cannot be reached through the inbox of another", async () => {
    const { hub, token } = await enrolled();
    const spec = { protocol: "envelope", transport: "inbox", url: "inbox:somebody-else" };
    const answer = await hub.send("PATCH", "/registry/agents/team.adder", { token, json: { spec } });
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: "INVALID_REQUEST" }]);
  });

  it("starts runs of other agents by envelope, but nothing of its own choosing", async () => {
    const { hub, token } = await enrolled();
    const json = { address: "atp+http://127.0.0.1:9/", name: "worker" };
    expect((await hub.send("POST", "/agents", { token: hub.operator, json })).status).toBe(201);
    const send = (payload: object) =>
      hub.send("POST", "/messages", {
        token,
        json: { to: "worker", type: "request", action: "execute", payload },
      });
    expect((await send({ task: "work" })).status).toBe(202);
    const escaping = await send({ task: "work", context: { workspace_path: "/" } });
    expect([escaping.status, await escaping.json()]).toMatchObject([403, { code: "SCOPE_MISSING" }]);
    const foreign = await hub.send("POST", "/messages", {
      token,
      json: { from: "worker", to: "user:eve", type: "notification", action: "status_update" },
    });
    expect(foreign.status).toBe(403);
  });
});
