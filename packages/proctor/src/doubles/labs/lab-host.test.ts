// Labs of a run: its agent finds them, what it asks them is in its log, and they are gone with it.
import { afterEach, describe, expect, it } from "vitest";
import { basic } from "../../../test/support/doubles/oauth-lab.ts";
import { createScriptedDriver } from "../../../test/support/scripted-driver.ts";
import { openTestHub, type TestHub } from "../../../test/support/test-hub.ts";
import type { LabSet } from "../../core/labs.ts";
import type { RunRequest } from "../../core/ports/hub.ts";

let hub: TestHub;
afterEach(() => hub.close());

async function start(request: Partial<RunRequest>) {
  const driver = createScriptedDriver();
  hub = await openTestHub({ driver });
  const { run } = await hub.hub.submit({ agent: "atp+stdio:x", task: { description: "t" }, ...request });
  const session = await driver.session(0);
  return { session, id: run.id };
}

const LABS: LabSet = {
  oauth: { algorithm: "ES256", clients: [{ id: "a", secret: "very secret" }] },
  push: { answers: [{ status: 503, times: 1 }], verify: { token: "t0ken-of-push" } },
};

describe("The labs of a run", () => {
  it("are found by variables, observed, and closed with the run", async () => {
    const { session, id } = await start({ options: { labs: LABS } });
    const { LAB_OAUTH_URL: oauth = "", LAB_PUSH_URL: push = "" } = session.job.context.environment ?? {};
    expect(session.job.env).toMatchObject({ LAB_OAUTH_URL: oauth, LAB_PUSH_URL: push });
    const body = new URLSearchParams({ grant_type: "client_credentials" });
    const token = await fetch(`${oauth}/token`, { method: "POST", headers: basic("a", "very+secret"), body });
    expect(token.status).toBe(200);
    const headers = { "x-a2a-notification-token": "t0ken-of-push" };
    const sent = await fetch(`${push}/hook`, { method: "POST", headers, body: '{"kind":"task","id":"t"}' });
    expect(sent.status).toBe(503);
    session.end();
    const run = await hub.ended(id);
    expect(run.violations).toEqual([]);
    expect(run.metrics.tool_calls ?? 0).toBe(0);
    const calls = (await hub.log(id))
      .filter(({ type }) => type === "tool.called")
      .map(({ payload }) => payload);
    expect(calls).toMatchObject([
      {
        tool: "oauth.token",
        mode: "lab",
        status: "success",
        input: { grant_type: "client_credentials", client_id: "a" },
      },
      {
        tool: "push.delivery",
        mode: "lab",
        status: "error",
        http_status: 503,
        input: { kind: "task", path: "/hook" },
      },
    ]);
    await expect(fetch(`${oauth}/jwks`)).rejects.toThrow("fetch failed");
    await expect(fetch(push)).rejects.toThrow("fetch failed");
  });

  it("keep their secrets out of what is stored", async () => {
    const { session, id } = await start({ options: { labs: LABS } });
    session.end();
    await hub.ended(id);
    const text = JSON.stringify([await hub.hub.run(id), await hub.log(id)]);
    expect(text).not.toContain("very secret");
    expect(text).not.toContain("t0ken-of-push");
  });

  it("are no tools: a whitelist of tools says nothing about them", async () => {
    const { session, id } = await start({
      options: { labs: { oauth: {} } },
      constraints: { allowed_tools: [] },
    });
    await fetch(`${session.job.context.environment?.["LAB_OAUTH_URL"] ?? ""}/jwks`);
    session.end();
    expect((await hub.ended(id)).violations).toEqual([]);
  });
});
