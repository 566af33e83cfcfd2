// Agents of the hub for clients of A2A: how much memory very many streams take that are open at once, and how fast a burst of messages is
// accepted. A message is answered as soon as its task is on disk (`returnImmediately`), by a hub whose runs all wait, so that the work of
// agents is not measured. The bare limit is node:http that parses the same body and answers with the same bytes.
import { Agent } from "node:http";
import { ask, messageBody, readStream, type Target } from "./a2a-load.ts";
import { register } from "./agent-load.ts";
import { inTurns, secondsOf, WARM_UPS, type Result } from "./measure.ts";
import { cpuSeconds, peakMb, residentMb, startBare, startHub } from "./processes.ts";

const STREAMS = 1000;
/** Number of reports on each task, and the milliseconds between them. */
const EVENTS = 20;
const EVERY_MS = 500;
const BURST = 1000;
const ROUNDS = 9;
const PATH = "/a2a/bare";

export async function bench(): Promise<Result[]> {
  return [await streams(), await burst()];
}

async function streams(): Promise<Result> {
  const hub = await startHub({ concurrency: STREAMS });
  const agent = await startBare("./ticking-agent.mjs", [STREAMS, EVENTS, EVERY_MS].map(String));
  try {
    await register(hub.port, agent.port);
    const before = residentMb(hub.pid);
    const cpuBefore = cpuSeconds(hub.pid);
    const seconds = await secondsOf(() => readAll({ port: hub.port, path: PATH }));
    return {
      name: "a2a-streams",
      what: `peak memory of the hub with ${STREAMS} streams of A2A open at once, each of which gets events`,
      value: peakMb(hub.pid),
      bound: { atMost: 300 },
      unit: "MB",
      details: {
        "before MB": before,
        "events/s": (STREAMS * EVENTS) / seconds,
        "CPU s": cpuSeconds(hub.pid) - cpuBefore,
      },
    };
  } finally {
    await agent.stop();
    await hub.stop();
  }
}

async function readAll(target: Target): Promise<void> {
  const all = await Promise.all(
    Array.from({ length: STREAMS }, (_, index) => {
      const body = messageBody("SendStreamingMessage", `s-${index}`, { text: "Find top 5 competitors." });
      return readStream(target, body);
    }),
  );
  const least = Math.min(...all);
  if (least < EVENTS) throw new Error(`a stream ended after ${least} frames`);
}

async function burst(): Promise<Result> {
  const hub = await startHub({ concurrency: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: BURST, maxFreeSockets: BURST });
  let sent = 0;
  const body = (): string =>
    messageBody("SendMessage", `m-${sent++}`, {
      text: "Find top 5 competitors for Slack",
      configuration: { returnImmediately: true },
    });
  const all = (port: number) => () =>
    secondsOf(() =>
      Promise.all(Array.from({ length: BURST }, () => ask({ port, path: PATH }, body(), agent))),
    );
  try {
    await register(hub.port, 9);
    const answer = Buffer.from(await ask({ port: hub.port, path: PATH }, body(), agent)).toString("base64");
    const bare = await startBare("./bare-http.mjs", [answer, "200"]);
    try {
      const cpuBefore = [cpuSeconds(bare.pid), cpuSeconds(hub.pid)] as const;
      const seconds = await inTurns(ROUNDS, all(bare.port), all(hub.port));
      const rounds = ROUNDS + WARM_UPS;
      return {
        name: "a2a-burst",
        what: `${BURST} messages at once to /a2a/{agent}, each task on disk / raw node:http POST`,
        value: seconds.bare / seconds.ours,
        bound: { atLeast: 0.4 },
        unit: "ratio",
        details: {
          "bare/s": BURST / seconds.bare,
          "ours/s": BURST / seconds.ours,
          "bare CPU ms": ((cpuSeconds(bare.pid) - cpuBefore[0]) / rounds / BURST) * 1000,
          "ours CPU ms": ((cpuSeconds(hub.pid) - cpuBefore[1]) / rounds / BURST) * 1000,
        },
      };
    } finally {
      await bare.stop();
    }
  } finally {
    agent.destroy();
    await hub.stop();
  }
}
