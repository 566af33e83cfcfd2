// Sending to a hub, on disk before the answer, against node:http that parses the same body and answers with the same bytes: the same load
// on both, in turns. The CPU of the servers alone is in the details.
import { Agent } from "node:http";
import { inTurns, secondsOf, type Result } from "./measure.ts";
import { cpuSeconds, startBare, startHub } from "./processes.ts";

const CONNECTIONS = 32;
const REQUESTS = 4000;

interface DurablePost extends Pick<Result, "name" | "what" | "bound"> {
  /** Sends one request, and resolves with the text of the answer. `left` counts down to 0. */
  post: (port: number, agent: Agent, left: number) => Promise<string>;
}

export async function measureDurablePost({ post, ...described }: DurablePost): Promise<Result> {
  const hub = await startHub({ concurrency: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  try {
    const answer = Buffer.from(await post(hub.port, agent, 0)).toString("base64");
    const bare = await startBare("./bare-http.mjs", [answer, "202"]);
    try {
      const cpuBefore = [cpuSeconds(bare.pid), cpuSeconds(hub.pid)] as const;
      const seconds = await inTurns(
        9,
        () => secondsOf(() => load(bare.port)),
        () => secondsOf(() => load(hub.port)),
      );
      const cpuRatio = (cpuSeconds(bare.pid) - cpuBefore[0]) / (cpuSeconds(hub.pid) - cpuBefore[1]);
      return {
        ...described,
        value: seconds.bare / seconds.ours,
        unit: "ratio",
        details: {
          "bare/s": REQUESTS / seconds.bare,
          "ours/s": REQUESTS / seconds.ours,
          "server CPU ratio": cpuRatio,
        },
      };
    } finally {
      await bare.stop();
    }
  } finally {
    agent.destroy();
    await hub.stop();
  }

  async function load(port: number): Promise<void> {
    let left = REQUESTS;
    const lane = async (): Promise<void> => {
      while (left-- > 0) await post(port, agent, left);
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  }
}
