// A program with a hub on a directory and an agent that asks. It prints each thing that was acknowledged, and is gone, by kill -9 of
// itself, right after the one that it was told. Nothing is tidied up.
import { writeSync } from "node:fs";
import { textPart } from "../../../src/core/message.ts";
import { createScriptedDriver } from "../scripted-driver.ts";
import { openTestHub } from "../test-hub.ts";

const [folder = "", mode = "attached", last = ""] = process.argv.slice(2);
const parks = mode === "parked";
const driver = createScriptedDriver({ talks: { says: true, asks: ["input"], parks, follows: true } });
const opened = await openTestHub({ folder, driver });
const { hub } = opened;
const agent = { protocol: "puppet", transport: "stdio", command: ["x"] };

function reached(point: string, detail = ""): void {
  writeSync(1, `${JSON.stringify([point, detail])}\n`);
  if (point === last) process.kill(process.pid, "SIGKILL");
}

const { run } = await hub.submit({ agent, task: { description: "ask" }, options: { conversation: {} } });
reached("submitted", run.id);
let session = await driver.session(0);
if (parks) session.push({ kind: "session", continuation: { thread: 1 } });
session.ask({ id: "q" });
await opened.until(run.id, ({ type }) => type === "question.asked");
reached("asked");
if (parks) {
  session.push({ kind: "parked" });
  await opened.until(run.id, ({ type }) => type === "session.parked");
  reached("parked");
}
await hub.answer(run.id, { question_id: "q", id: "a", parts: [textPart("yes")] });
reached("answered");
if (parks) session = await driver.session(1);
while (session.heard.length === 0) await new Promise((resolve) => setImmediate(resolve));
reached("heard");
await opened.until(run.id, ({ type }) => type === "question.delivered");
reached("delivered");
session.end();
await opened.until(run.id, ({ type }) => type === "run.ended");
reached("ended");
