// `proctor up`: starts the hub, says where it is and what to try, and stops it.
import type { Agent } from "../../../core/agent.ts";
import { limitHeapGrowth } from "../../../runtime/limit-heap-growth.ts";
import type { CliIo } from "../../cli-io.ts";
import type { ServeOptions } from "../../compose/serve.ts";
import type { LogLevel } from "../../config/parse-values.ts";
import type { CommandContext } from "../../compose/compose.ts";
import type { UpFlags } from "./flags.ts";
import { createScreen, type Screen } from "../../terminal/screen.ts";
import { runLine } from "../../terminal/hub-lines.ts";
import { manyLines, truncate } from "../../terminal/text.ts";
import { field } from "../../terminal/run-summary.ts";
import { version } from "../../version.ts";

export async function serveHub(flags: UpFlags, { io, composition }: CommandContext): Promise<number> {
  const screen = createScreen(io);
  const { database: databaseUrl, artifacts: artifactsDir, workspaces: workspacesDir, ...others } = flags;
  const { root: environmentRoot, unsafeLocal: unsafe, ...rest } = others;
  const unsafeLocal = unsafe === true ? "true" : undefined;
  const config = await composition.loadConfig({
    cwd: io.cwd,
    env: io.env,
    flags: { ...rest, databaseUrl, artifactsDir, workspacesDir, environmentRoot, unsafeLocal },
  });
  io.signal.throwIfAborted();
  let letGrow: (() => void) | undefined;
  const announceStop = () =>
    screen.print("", "stopping: runs in flight get a moment to end (Ctrl-C again to stop now)");
  try {
    await composition.serve(config, {
      signal: io.signal,
      ...reporting(config.log, io),
      onReady: (info) => {
        screen.print(...renderReady({ ...info, program: programName(io.env) }, screen));
        io.signal.addEventListener("abort", announceStop, { once: true });
        letGrow = limitHeapGrowth();
      },
    });
  } finally {
    letGrow?.();
    io.signal.removeEventListener("abort", announceStop);
  }
  screen.print("stopped");
  // Ctrl-C is how a hub is stopped, so a clean stop is success.
  return 0;
}

/** Chooses what is printed: a terminal gets a line per run, and the log of requests only when it is asked for. */
function reporting(level: LogLevel, io: CliIo): Pick<ServeOptions, "writeLog" | "onRun" | "onProblem"> {
  const isBrief = level === "info" && io.stderr.isTTY === true;
  const isSilent = level === "silent" || isBrief;
  const writeLog = (text: string): void => void (isSilent || io.stderr.write(text));
  if (!isBrief) return { writeLog };
  const screen = createScreen(io, io.stderr);
  const { paint } = screen;
  return {
    writeLog,
    onRun: (run) => screen.print(runLine(run, paint, screen.width)),
    onProblem: (message, runId) => screen.print(`${paint.red("problem")}  ${runId} ${manyLines(message)}`),
  };
}

/** Returns the program as the user can call it: in a checkout that npm started, `proctor` is not on the path. */
function programName(env: CliIo["env"]): string {
  return env["npm_lifecycle_event"] === undefined ? "proctor" : "npx proctor";
}

interface ReadyInfo {
  url: string;
  grpcUrl?: string;
  agents: readonly Agent[];
  program: string;
  /** Aliases of the agents behind the gateway. */
  gateway?: readonly string[];
  /** Reason why the hub listens but takes no work. */
  trouble?: string;
}

export function renderReady(
  { url, grpcUrl, agents, program, gateway, trouble }: ReadyInfo,
  { paint, width }: Screen,
): string[] {
  const base = url.replace(/\/$/, "");
  const first = agents[0]?.name;
  const commands =
    first === undefined
      ? [
          `${program} agents add writer "atp+stdio:python writer.py"`,
          `${program} run --agent writer --task "Say hello"`,
          `${program} runs list`,
        ]
      : [
          `${program} run --agent ${first} --task "Say hello"`,
          `${program} runs list`,
          `curl ${base}/runs -H 'content-type: application/json' -d '{"agent":"${first}","task":{"description":"Say hello"}}'`,
        ];
  if (trouble !== undefined) {
    return [
      `${paint.red("●")} ${paint.bold(`Proctor ${version()}`)} listens, but cannot take work`,
      "",
      ...trouble.split("\n").map((line) => `  ${line}`),
      "",
      ...field("hub", [paint.cyan(base)], paint),
      ...field("health", [`${base}/readyz`], paint),
      "",
      paint.dim("Ctrl-C stops it."),
    ];
  }
  const names = agents.map((agent) => agent.name).join(", ");
  const room = (width ?? Infinity) - 14;
  return [
    `${paint.green("●")} ${paint.bold(`Proctor ${version()}`)} is up`,
    "",
    ...field("hub", [paint.cyan(base)], paint),
    ...field("api", [`${base}/docs`], paint),
    ...(grpcUrl === undefined ? [] : field("grpc", [grpcUrl], paint)),
    ...field("health", [`${base}/readyz`], paint),
    ...field(
      "agents",
      [agents.length === 0 ? "none yet" : truncate(`${agents.length}: ${names}`, room)],
      paint,
    ),
    ...(gateway === undefined
      ? []
      : field("gateway", [truncate(`${base}/gateway/{${gateway.join(",")}}`, room)], paint)),
    "",
    ...field("try", commands, paint),
    "",
    paint.dim("Ctrl-C stops it."),
  ];
}
