// Starts a gateway that is to be examined, waits until it answers, and ends it with everything that it started.
import { createHttpClient } from "../../../channels/http/client.ts";
import { errorLine } from "../../../conformance/finding.ts";
import type { EnvironmentProcess } from "../../../core/ports/environments.ts";
import { dieWithUs } from "../../../runtime/processes/die-with-us.ts";
import { endByForce } from "../../../runtime/processes/end-by-force.ts";
import { createHeadTail } from "../../../runtime/processes/head-tail.ts";
import { letGo } from "../../../runtime/processes/let-go.ts";
import { pause } from "../../../runtime/time/pause.ts";
import { systemClock } from "../../../runtime/time/system-clock.ts";
import { withinTime } from "../../../runtime/time/within-time.ts";

export interface StartGatewayOptions {
  url: URL;
  start: () => EnvironmentProcess;
  /** Milliseconds that the gateway has to answer. */
  timeoutMs: number;
  signal: AbortSignal;
}

export interface StartedGateway {
  /** Why the gateway does not answer; undefined where it does. */
  trouble: string | undefined;
  end(): Promise<void>;
}

const AGAIN_MS = 50;
const MAX_OUTPUT_BYTES = 64 * 1024;

export async function startGateway(options: StartGatewayOptions): Promise<StartedGateway> {
  const program = options.start();
  program.stdin.on("error", () => undefined);
  program.stdin.end();
  const stderr = createHeadTail(MAX_OUTPUT_BYTES);
  program.stderr.on("data", (chunk: Uint8Array) => stderr.append(chunk));
  letGo(program.stdout);
  const callOff = dieWithUs(() => program.signal("SIGKILL"));
  const exited = new AbortController();
  let code = 0;
  void program.exited.then((end) => {
    ({ code } = end);
    exited.abort();
  });
  const answers = await withinTime(options.signal, options.timeoutMs, (limit) =>
    untilAnswered(options.url, AbortSignal.any([limit, exited.signal])),
  );
  const lines = (): string[] =>
    stderr
      .text()
      .split("\n")
      .filter((line) => line.trim() !== "");
  const words = answers ? undefined : errorLine(lines());
  const how = exited.signal.aborted ? `ended with ${code}` : "did not answer within the time limit";
  return {
    trouble: answers ? undefined : `the gateway ${how}${words === undefined ? "" : `: ${words}`}`,
    async end() {
      // This also ends processes that it left behind when it ended by itself.
      await endByForce((name) => program.signal(name), program.exited);
      letGo(program.stderr);
      callOff();
    },
  };
}

/** Resolves with whether a server answers at the address, with whatever status. */
async function untilAnswered(url: URL, signal: AbortSignal): Promise<boolean> {
  const http = createHttpClient();
  while (!signal.aborted) {
    const exchanged = await http.get({ url, headers: { "user-agent": "proctor" } }, signal);
    if (exchanged.kind === "answered") {
      exchanged.answer.body.close();
      return true;
    }
    await pause(systemClock, AGAIN_MS, signal).catch(() => undefined);
  }
  return false;
}
