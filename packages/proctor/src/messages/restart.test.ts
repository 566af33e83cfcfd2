// What a hub left undone when it stopped is done by the next one, once.
import { afterEach, expect, it } from "vitest";
import { eventually, HANG_MS } from "../../test/support/eventually.ts";
import { openTestMessages, type TestMessages } from "../../test/support/messages/open-test-messages.ts";
import { createScriptedDriver } from "../../test/support/scripted-driver.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import type { Envelope } from "../core/envelope.ts";

const open: TestMessages[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function start(options: Parameters<typeof openTestMessages>[0]): Promise<TestMessages> {
  const opened = await openTestMessages(options);
  open.push(opened);
  return opened;
}

async function stop(opened: TestMessages): Promise<void> {
  open.splice(open.indexOf(opened), 1);
  await opened.close();
}

async function inboxOf({ messages }: TestMessages, receiver: string): Promise<Envelope[]> {
  const options = { after: 0, limit: 100, waitMs: 0 };
  return (await messages.receive(receiver, options, AbortSignal.timeout(HANG_MS))).map(
    ({ envelope }) => envelope,
  );
}

const EXECUTE = {
  id: "q",
  from: "user:ada",
  to: "worker",
  type: "request",
  action: "execute",
  payload: "go",
} as const;

it("A hub that comes back tells the sender of a run the rest, and nothing twice", async () => {
  const folder = temporaryFolder("messages");
  const driver = createScriptedDriver();
  const first = await start({ folder, driver, graceMs: 0 });
  await first.hub.addAgent({ name: "worker", protocol: "atp", transport: "stdio", command: ["w"] });
  const { run_id: runId } = await first.messages.send(EXECUTE);
  (await driver.session(0)).event("progress", { percentage: 10 });
  await eventually(async () => expect(await inboxOf(first, "user:ada")).toHaveLength(2));
  await stop(first);

  const second = await start({ folder, driver: createScriptedDriver() });
  const told = await eventually(async () => {
    const found = await inboxOf(second, "user:ada");
    expect(found.at(-1)?.type).toBe("error");
    return found;
  });
  expect(told.map(({ type }) => type)).toEqual(["notification", "notification", "error"]);
  expect(told.at(-1)).toMatchObject({ inReplyTo: "q", from: "worker", payload: { run_id: runId } });
  expect(new Set(told.map(({ id }) => id)).size).toBe(3);
});

it("A command leaves what a hub has to do to the next hub", async () => {
  const folder = temporaryFolder("messages");
  const command = await start({ folder, driver: createScriptedDriver(), asCommand: true });
  await command.hub.addAgent({ name: "worker", protocol: "atp", transport: "stdio", command: ["w"] });
  expect(await command.messages.send(EXECUTE)).toMatchObject({ receiver: "hub", created: true });
  await command.messages.send({ ...EXECUTE, id: "n", to: "hub", action: "negotiate" });
  expect((await command.hub.runs({})).items).toEqual([]);
  await stop(command);

  const driver = createScriptedDriver();
  const hub = await start({ folder, driver });
  (await driver.session(0)).end();
  await eventually(async () => {
    const answered = (await inboxOf(hub, "user:ada")).filter(({ type }) => type === "response");
    expect(new Set(answered.map(({ inReplyTo }) => inReplyTo))).toEqual(new Set(["n", "q"]));
  });
  expect((await hub.hub.runs({})).items).toHaveLength(1);
});

it("A registration that a crash interrupted is not made in nobody's name", async () => {
  const folder = temporaryFolder("messages");
  const command = await start({ folder, asCommand: true });
  await command.messages.send({ ...EXECUTE, id: "r", to: "hub", action: "register", payload: { name: "x" } });
  await stop(command);
  const registered: unknown[] = [];
  const registry = { register: async (asked: unknown) => void registered.push(asked) };
  const hub = await start({ folder, registry: registry as never });
  const [answer] = await eventually(async () => {
    const found = await inboxOf(hub, "user:ada");
    expect(found).toHaveLength(1);
    return found;
  });
  expect(answer).toMatchObject({ type: "error", inReplyTo: "r", payload: { code: "SHUTTING_DOWN" } });
  expect(registered).toEqual([]);
});
