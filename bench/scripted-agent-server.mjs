// Started by scripted-agent.ts: a scripted agent that answers every message with one turn. Prints where it is. From the built files: those of a
// compiler that runs along cost twice as much.
import { startScriptedAgent } from "../packages/proctor/dist/cli/compose/start-scripted-agent.js";
import { createScript } from "../packages/proctor/dist/doubles/scripted/script.js";

const events = [
  { event: { kind: "status-update", status: { state: "working" } } },
  { event: { kind: "task", status: { state: "completed" } } },
];
const { url } = await startScriptedAgent({
  port: 0,
  script: { fallback: createScript("bench", [{ events }]) },
});
console.log(`port ${new URL(url).port}`);
process.on("SIGTERM", () => process.exit(0));
