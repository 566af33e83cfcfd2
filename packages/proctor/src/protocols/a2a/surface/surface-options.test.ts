// How the hub's A2A can differ from the usual, for clients that need it so.
import { afterEach, describe, expect, it } from "vitest";
import { openHubStage, userMessage, type HubStage } from "../../../../test/support/a2a/hub-stage.ts";
import { HANG_MS } from "../../../../test/support/eventually.ts";

let stage: HubStage;
afterEach(() => stage.close());

const NOW = { configuration: { returnImmediately: true } };
const CARD = "/.well-known/agent-card.json";

describe("a hub's A2A surface that is told to", { timeout: HANG_MS }, () => {
  it("has the statuses and the media type of 1.0.0", async () => {
    stage = await openHubStage({ surface: { patch: "1.0.0" } });
    const { task } = (await stage.rpc("SendMessage", { message: userMessage("work"), ...NOW })).result;
    (await stage.driver.session(0)).end();
    await stage.ended(task.id);
    const headers = { "a2a-version": "1.0" };
    const refused = await stage.send("POST", `/tasks/${task.id}:cancel`, { headers });
    expect([refused.status, refused.headers.get("content-type")]).toEqual([409, "application/json"]);
  });

  it("shows the card of one version to clients that name none", async () => {
    stage = await openHubStage({ surface: { unversionedCard: "1.0" } });
    const { body } = await stage.send("GET", CARD);
    expect(body).toHaveProperty("supportedInterfaces");
    expect(body).not.toHaveProperty("protocolVersion");
  });

  it("begins a task with every message, also with one that came before", async () => {
    stage = await openHubStage({ surface: { repeats: "new" } });
    const message = userMessage("work");
    const ids = new Set<string>();
    for (const _ of [1, 2]) ids.add((await stage.rpc("SendMessage", { message, ...NOW })).result.task.id);
    expect(ids.size).toBe(2);
    for (const [index, id] of [...ids].entries()) {
      (await stage.driver.session(index)).end();
      await stage.ended(id);
    }
  });
});
