// Runs of an HTTP agent through the hub, every event durable, against the same tasks sent to the agent itself.
import { register, sendTasks } from "./agent-load.ts";
import { inTurns, secondsOf, type Result } from "./measure.ts";
import { cpuSeconds, startBare, startHub } from "./processes.ts";

const CONCURRENCY = 64;
const TASKS = 1500;

export async function bench(): Promise<Result[]> {
  const hub = await startHub({ concurrency: CONCURRENCY });
  const agent = await startBare("./bare-agent.mjs");
  try {
    await register(hub.port, agent.port);
    let cpu = 0;
    let runs = 0;
    const seconds = await inTurns(
      5,
      () =>
        secondsOf(() =>
          sendTasks({ port: agent.port, path: "/execute/stream", tasks: TASKS, concurrency: CONCURRENCY }),
        ),
      () => {
        const before = cpuSeconds(hub.pid);
        return secondsOf(async () => {
          await sendTasks({
            port: hub.port,
            path: "/atp/bare/execute",
            tasks: TASKS,
            concurrency: CONCURRENCY,
          });
          cpu += cpuSeconds(hub.pid) - before;
          runs += TASKS;
        });
      },
    );
    return [
      {
        name: "http-runs",
        what: "runs of an HTTP agent through the hub, 64 at once, durable / the same tasks sent to the agent",
        value: seconds.bare / seconds.ours,
        bound: { atLeast: 0.35 },
        unit: "ratio",
        details: { "bare/s": TASKS / seconds.bare, "ours/s": TASKS / seconds.ours },
      },
      {
        name: "http-run-cpu",
        what: "CPU of the hub per run of an HTTP agent, events and answer included",
        value: (cpu / runs) * 1000,
        bound: { atMost: 1.5 },
        unit: "ms",
        details: { runs },
      },
    ];
  } finally {
    await agent.stop();
    await hub.stop();
  }
}
