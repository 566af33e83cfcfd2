// What the gateway of a hub costs: CPU of its process for a message that is answered once, and the frames of a stream through it against the
// same frames from the agent itself. Client, gateway and agent (a scripted one) are processes of their own, on one machine. Client and agent
// speak 1.0; every message begins a task in a context of its own, so that the gateway has two new ids to keep.
import { messageBody, rawRequest, readStream, type Target } from "./a2a-load.ts";
import { sendLoad } from "./http-load.ts";
import { inTurns, secondsOf, type Result } from "./measure.ts";
import { cpuSeconds, startHub, startScriptedAgent, type Server } from "./processes.ts";

const CONNECTIONS = 16;
const MESSAGES = 3000;
const MESSAGE_ROUNDS = 5;
const FRAMES = 1000;
const STREAMS = 5;
const STREAM_ROUNDS = 9;

/** Events of a stream: half of them are states with a message, half are pieces of a text. */
const FRAME_EVENTS = Array.from({ length: FRAMES }, (_, index) => {
  const text = `Analyzing competitor features, one by one: number ${index}. `;
  const parts = [{ text }];
  if (index % 2 === 0) {
    const message = { messageId: `said-${index}`, role: "ROLE_AGENT", parts };
    return { statusUpdate: { status: { state: "TASK_STATE_WORKING", message } } };
  }
  return { artifactUpdate: { artifact: { artifactId: "answer", parts }, append: index > 1 } };
});
const COMPLETED = { statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } };
const SCRIPT = {
  scripts: [{ name: "stream", when: { text: "Stream." }, turns: [[...FRAME_EVENTS, COMPLETED]] }],
  default: { turns: [[{ statusUpdate: { status: { state: "TASK_STATE_WORKING" } } }, COMPLETED]] },
};

export async function bench(): Promise<Result[]> {
  const agent = await startScriptedAgent(SCRIPT);
  const url = `http://127.0.0.1:${agent.port}`;
  const hub = await startHub({ concurrency: 0, config: { gateway: { agents: { peer: { url } } } } });
  try {
    const through = { port: hub.port, path: "/gateway/peer" };
    const direct = { port: agent.port, path: "/" };
    return [await messages(agent, hub, direct, through), await streams(direct, through)];
  } finally {
    await hub.stop();
    await agent.stop();
  }
}

async function messages(agent: Server, hub: Server, direct: Target, through: Target): Promise<Result> {
  const cpu = await inTurns(
    MESSAGE_ROUNDS,
    () => cpuOf(agent, () => send(direct)),
    () => cpuOf(hub, () => send(through)),
  );
  return {
    name: "a2a-gateway-cpu",
    what: "CPU that the gateway adds to a message that is answered once, in a new task and a new context",
    value: (cpu.ours / MESSAGES) * 1000,
    bound: { atMost: 1 },
    unit: "ms",
    details: { "the agent alone ms": (cpu.bare / MESSAGES) * 1000, "ratio to it": cpu.ours / cpu.bare },
  };
}

let sent = 0;

function send({ port, path }: Target): Promise<void> {
  const request = (): string =>
    rawRequest(path, messageBody("SendMessage", `m-${sent++}`, { text: "Go on." }));
  return sendLoad({ port, connections: CONNECTIONS, requests: MESSAGES, request, expect: "200" });
}

async function cpuOf({ pid }: Server, work: () => Promise<void>): Promise<number> {
  const before = cpuSeconds(pid);
  await work();
  return cpuSeconds(pid) - before;
}

async function streams(direct: Target, through: Target): Promise<Result> {
  const seconds = await inTurns(
    STREAM_ROUNDS,
    () => secondsOf(() => readStreams(direct)),
    () => secondsOf(() => readStreams(through)),
  );
  const all = STREAMS * FRAMES;
  return {
    name: "a2a-gateway-stream",
    what: "frames of a stream through the gateway / of the same stream from the agent",
    value: seconds.bare / seconds.ours,
    bound: { atLeast: 0.5 },
    unit: "ratio",
    details: { "direct/s": all / seconds.bare, "through/s": all / seconds.ours },
  };
}

async function readStreams(target: Target): Promise<void> {
  for (let count = 0; count < STREAMS; count++) {
    const body = messageBody("SendStreamingMessage", `s-${sent++}`, { text: "Stream." });
    const frames = await readStream(target, body);
    if (frames < FRAMES) throw new Error(`${frames} of ${FRAMES} frames came from ${target.path}`);
  }
}
