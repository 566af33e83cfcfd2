// Sending messages to running runs and answering their questions, on disk before the response, against node:http that parses the same body
// and answers with the same bytes.
import { spawn } from "node:child_process";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { inTurns, secondsOf, type Result } from "./measure.ts";
import { cpuSeconds, firstPort, startBare, TYPESCRIPT } from "./processes.ts";

const LANES = 32;
const MESSAGES = 2000;
const ANSWERS = 800;
const SAID = JSON.stringify({ text: "Take the next one as well, please." });

export async function bench(): Promise<Result[]> {
  const file = fileURLToPath(new URL("./talk-server.ts", import.meta.url));
  const child = spawn(process.execPath, [...TYPESCRIPT, file], { stdio: ["ignore", "pipe", "inherit"] });
  const agent = new Agent({ keepAlive: true, maxSockets: LANES });
  try {
    const port = await firstPort(child);
    const pid = child.pid ?? 0;
    const hearing = await Promise.all(Array.from({ length: LANES }, () => submit(port, agent, "hear")));
    const answer = await post(port, agent, `/runs/${hearing[0]}/messages`, SAID);
    const bare = await startBare("./bare-http.mjs", [Buffer.from(answer).toString("base64"), "201"]);
    try {
      const say = (to: number) => spread(hearing, (id) => post(to, agent, `/runs/${id}/messages`, SAID));
      const cpuBefore = cpuSeconds(pid);
      let said = 0;
      const seconds = await inTurns(
        5,
        () => secondsOf(() => say(bare.port)),
        () => ((said += MESSAGES), secondsOf(() => say(port))),
      );
      const sayMs = ((cpuSeconds(pid) - cpuBefore) / said) * 1000;
      const answerMs = await answering(port, pid, agent);
      return [
        {
          name: "say",
          what: "POST /runs/{id}/messages to running runs, durable and delivered / raw node:http POST",
          value: seconds.bare / seconds.ours,
          bound: { atLeast: 0.4 },
          unit: "ratio",
          details: { "bare/s": MESSAGES / seconds.bare, "ours/s": MESSAGES / seconds.ours },
        },
        cpuResult("say-cpu", "CPU of the hub for a message, its delivery included", sayMs),
        cpuResult("answer-cpu", "CPU of the hub for an answer, its delivery included", answerMs),
      ];
    } finally {
      await bare.stop();
    }
  } finally {
    agent.destroy();
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await gone;
  }
}

function cpuResult(name: string, what: string, value: number): Result {
  return { name, what, value, bound: { atMost: 1 }, unit: "ms", details: {} };
}

async function spread(ids: readonly string[], work: (id: string) => Promise<unknown>): Promise<void> {
  let left = MESSAGES;
  await Promise.all(
    ids.map(async (id) => {
      while (left-- > 0) await work(id);
    }),
  );
}

/** Resolves with the CPU milliseconds of each answer. Every run asks before the first is answered. */
async function answering(port: number, pid: number, agent: Agent): Promise<number> {
  const asking: string[] = [];
  while (asking.length < ANSWERS) {
    asking.push(...(await Promise.all(Array.from({ length: LANES }, () => submit(port, agent, "ask")))));
  }
  for (const id of asking) await asked(port, agent, id);
  const before = cpuSeconds(pid);
  const body = JSON.stringify({ question_id: "q", text: "yes" });
  const answer = async (): Promise<void> => {
    for (let id = asking.pop(); id !== undefined; id = asking.pop()) {
      await post(port, agent, `/runs/${id}/answers`, body);
    }
  };
  await Promise.all(Array.from({ length: LANES }, answer));
  return ((cpuSeconds(pid) - before) / ANSWERS) * 1000;
}

/** Resolves when the run has asked. */
async function asked(port: number, agent: Agent, id: string): Promise<void> {
  for (;;) {
    const { questions } = JSON.parse(await send("GET", port, agent, `/runs/${id}`)) as {
      questions: object[];
    };
    if (questions.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function submit(port: number, agent: Agent, description: string): Promise<string> {
  const body = JSON.stringify({ agent: "puppet+stdio:x", task: { description } });
  return (JSON.parse(await post(port, agent, "/runs", body)) as { id: string }).id;
}

function post(port: number, agent: Agent, path: string, body: string): Promise<string> {
  return send("POST", port, agent, path, body);
}

function send(method: string, port: number, agent: Agent, path: string, body = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const sent = request({ host: "127.0.0.1", port, path, method, agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () =>
        (response.statusCode ?? 500) < 300
          ? resolve(text)
          : reject(new Error(`${response.statusCode}: ${text}`)),
      );
    });
    sent.on("error", reject).end(body);
  });
}
