// Doubles that a hub is told of: the built hub, the built mocks, and what happens when either is killed.
import { expect, it } from "vitest";
import type { Double, DoubleRequest } from "../../src/core/double.ts";
import { eventually } from "../support/eventually.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { freePort } from "../support/http/free-port.ts";
import { startProgram } from "../support/program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const doublesOf = async (hub: HubProcess) => (await hub.get<{ items: Double[] }>("/doubles")).items;
const askedOf = async (hub: HubProcess, id: string, query = "") =>
  (await hub.get<{ items: DoubleRequest[] }>(`/doubles/${id}/requests${query}`)).items;

async function theOnly(hub: HubProcess): Promise<Double> {
  const [double] = await doublesOf(hub);
  if (double === undefined) throw new Error("no double yet");
  return double;
}

it("A mock agent announces itself at the hub of its folder, tells what it was asked, and is gone when it is killed", async () => {
  const folder = temporaryFolder("doubles");
  const args = ["--port", String(await freePort())];
  let hub = await startHubProcess({ folder, args });
  const mock = startProgram(["mock", "agent", "--port", "0"], { folder });
  const [address = ""] = await mock.printed(/http:\/\/127\.0\.0\.1:\d+/);
  const { id } = await eventually(() => theOnly(hub));
  expect(await theOnly(hub)).toMatchObject({ kind: "agent", state: "live", pid: mock.pid, requests: 0 });

  await fetch(`${address}/nowhere`, { method: "POST", body: '{"password": "hunter22", "text": "find me"}' });
  await eventually(async () => expect(await askedOf(hub, id)).toHaveLength(1));
  const [first] = await askedOf(hub, id, "?unmatched=true&text=FIND");
  expect(first).toMatchObject({ number: 1, unmatched: true, request: { text: "find me" } });
  expect(JSON.stringify(first)).not.toContain("hunter22");

  // What was captured outlives the hub, and the mock goes on at the next one.
  await hub.stop("SIGKILL");
  await fetch(`${address}/while-away`);
  hub = await startHubProcess({ folder, args });
  await eventually(async () => expect(await askedOf(hub, id)).toHaveLength(2));
  await eventually(async () => expect(await theOnly(hub)).toMatchObject({ id, state: "live", requests: 2 }));

  mock.child.kill("SIGKILL");
  await mock.ended;
  await eventually(async () => expect(await theOnly(hub)).toMatchObject({ id, state: "gone" }));
  expect(await askedOf(hub, id)).toHaveLength(2);
  await hub.stop();
});

it("A mock says good-bye, one that is private says nothing, and one whose hub is away is served all the same", async () => {
  const folder = temporaryFolder("doubles");
  const hub = await startHubProcess({ folder });
  const quiet = startProgram(["mock", "push", "--port", "0", "--private"], { folder });
  await quiet.printed(/is served/);
  const away = startProgram(["mock", "push", "--port", "0", "--hub", "http://127.0.0.1:9"], { folder });
  await away.printed(/is served/);
  const mock = startProgram(["mock", "oauth", "--port", "0", "--hub", hub.url], { folder });
  const [address = ""] = await mock.printed(/http:\/\/127\.0\.0\.1:\d+/);
  await eventually(() => theOnly(hub));
  const basic = { authorization: `Basic ${btoa("test:secret")}` };
  await fetch(`${address}/token`, {
    method: "POST",
    headers: basic,
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  for (const program of [mock, quiet, away]) {
    program.child.kill("SIGTERM");
    expect((await program.ended).code).toBe(0);
  }
  expect(await doublesOf(hub)).toMatchObject([{ kind: "oauth", state: "ended", requests: 1 }]);
  await hub.stop();
});
