// Reading one run: server CPU per request, against node:http answering with the same bytes.
import { getRequest, sendLoad } from "./http-load.ts";
import { inTurns, type Result } from "./measure.ts";
import { cpuSeconds, startBare, startHub, type Server } from "./processes.ts";

const REQUESTS = 10_000;

export async function bench(): Promise<Result> {
  const hub = await startHub({ concurrency: 0 });
  try {
    const url = `http://127.0.0.1:${hub.port}/runs`;
    const task = { description: "Find top 5 competitors for Slack", input_data: { company: "Slack" } };
    const created = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ agent: "atp+stdio:true", task }),
    });
    const { id } = (await created.json()) as { id: string };
    const body = await (await fetch(`${url}/${id}`)).text();
    const bare = await startBare("./bare-http.mjs", [Buffer.from(body).toString("base64")]);
    try {
      const cpu = await inTurns(
        7,
        () => cost(bare, `/runs/${id}`),
        () => cost(hub, `/runs/${id}`),
      );
      return {
        name: "get-run",
        what: "requests per CPU second, GET /runs/{id} / raw node:http",
        value: cpu.bare / cpu.ours,
        bound: { atLeast: 0.45 },
        unit: "ratio",
        details: { "bare us": (cpu.bare / REQUESTS) * 1e6, "ours us": (cpu.ours / REQUESTS) * 1e6 },
      };
    } finally {
      await bare.stop();
    }
  } finally {
    await hub.stop();
  }
}

async function cost(server: Server, path: string): Promise<number> {
  const before = cpuSeconds(server.pid);
  const request = getRequest(path);
  await sendLoad({
    port: server.port,
    connections: 16,
    requests: REQUESTS,
    request: () => request,
    expect: " 200 ",
  });
  return cpuSeconds(server.pid) - before;
}
