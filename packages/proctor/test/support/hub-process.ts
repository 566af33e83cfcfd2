// The built program as a hub of its own: started on a free port, spoken to over HTTP, stopped or killed.
import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";

export const PROGRAM = fileURLToPath(new URL("../../bin/proctor.js", import.meta.url));

export interface HubProcess {
  url: string;
  pid: number;
  child: ChildProcess;
  /** Everything it has printed so far. */
  output: () => string;
  get: <T>(path: string) => Promise<T>;
  post: <T>(path: string, body?: unknown, headers?: Record<string, string>) => Promise<T>;
  /** Sends the signal and waits for the end; resolves with the exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

export async function startHubProcess(options: {
  folder: string;
  args?: readonly string[];
  env?: Record<string, string>;
}): Promise<HubProcess> {
  const child = spawn(process.execPath, [PROGRAM, "up", "--port", "0", ...(options.args ?? [])], {
    cwd: options.folder,
    env: { ...process.env, NO_COLOR: "1", ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (printed += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (printed += chunk));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", () => {
      const found = /http:\/\/[\w.[\]:]+:\d+/.exec(printed);
      if (found) resolve(found[0]);
    });
    void exited.then((code) =>
      reject(new Error(`the hub ended with ${code} before it listened:\n${printed}`)),
    );
  });

  async function answer<T>(response: Response): Promise<T> {
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} from ${response.url}: ${text}`);
    return JSON.parse(text) as T;
  }

  return {
    url,
    child,
    pid: child.pid ?? 0,
    output: () => printed,
    get: async (path) => answer(await fetch(`${url}${path}`)),
    post: async (path, body = {}, headers = {}) =>
      answer(
        await fetch(`${url}${path}`, {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify(body),
        }),
      ),
    stop(signal = "SIGTERM") {
      child.kill(signal);
      return exited;
    },
  };
}
