// Runs one RUN of a Dockerfile to its end. What is missing, and what is other than asked, is reported by the programs of the toolchain.
import type { Environment } from "../../../core/ports/environments.ts";
import { BUILD_VARIABLE, REPORT_FD, REPORT_VARIABLE } from "../../toolchain/inside.ts";
import type { Toolchain } from "../../toolchain/toolchain.ts";
import { DEFAULT_PATH } from "../../default-path.ts";
import type { RunStep } from "../plan.ts";
import { problem } from "../problem.ts";

interface RunStepOptions {
  /** The toolchain; undefined where RUN has a network. */
  toolchain: Toolchain | undefined;
  timeoutMs: number;
  signal: AbortSignal;
}

const TAIL_BYTES = 2048;
const OUTPUT_BYTES = 256 * 1024;
const MAX_NOTES = 100;

/** Runs a step and resolves with notes. */
export async function runStep(
  environment: Environment,
  step: RunStep,
  options: RunStepOptions,
): Promise<string[]> {
  const { toolchain, timeoutMs, signal } = options;
  const path = step.env["PATH"] ?? DEFAULT_PATH;
  const offline = toolchain && {
    ...toolchain.env,
    [BUILD_VARIABLE]: "1",
    [REPORT_VARIABLE]: String(REPORT_FD),
    PATH: [...toolchain.path, path].join(":"),
  };
  const result = await environment.run({
    // Reports have their own descriptor, because the step may redirect or discard its output.
    command: ["/bin/sh", "-c", `exec ${REPORT_FD}>&2 2>&1; exec "$@"`, "step", ...step.command],
    env: { PATH: path, ...step.env, ...offline },
    cwd: step.cwd,
    ...(step.user !== undefined && { user: step.user }),
    timeoutMs,
    maxOutputBytes: OUTPUT_BYTES,
    signal,
  });
  signal.throwIfAborted();
  if (result.timedOut) {
    throw problem(step.at, "the time of the build was over here", "give it more time, or make it do less", {
      output: result.stdout.slice(-TAIL_BYTES).trim(),
    });
  }
  const reports = readReports(result.stderr);
  if (result.code !== 0) throw failed(step, result.code, result.stdout, reports, toolchain !== undefined);
  const notes = reports.flatMap(({ note, missing }) => note ?? missing ?? []);
  return notes.slice(0, MAX_NOTES).map((note) => `${step.at.file}:${step.at.line}: ${note}`);
}

interface Report {
  note?: string;
  missing?: string;
  kind?: string;
  name?: string;
}

/** Reads the reports. Every process inside can write there, so anything else is left out. */
function readReports(text: string): Report[] {
  return text.split("\n").flatMap((line): Report[] => {
    try {
      const value: unknown = JSON.parse(line);
      if (typeof value !== "object" || value === null) return [];
      const texts = Object.entries(value).filter(
        (pair): pair is [string, string] => typeof pair[1] === "string",
      );
      return [Object.fromEntries(texts.map(([key, content]) => [key, content.slice(0, 500)]))];
    } catch {
      return [];
    }
  });
}

function failed(
  step: RunStep,
  code: number,
  output: string,
  reports: readonly Report[],
  offline: boolean,
): Error {
  const tail = output.slice(-TAIL_BYTES).trim();
  const missing = reports.filter((report) => report.missing !== undefined);
  const [first] = missing;
  if (first) {
    const names = missing.map(({ name }) => name ?? "");
    const where = first.kind === "apt" ? "in the root" : "on this machine";
    return problem(
      { file: step.at.file, line: lineOf(step, first.name ?? "") },
      missing.length === 1
        ? `${names[0] ?? ""} is not ${where}, and there is no network here`
        : `${names.join(", ")}: not ${where}, and there is no network here`,
      "install it on this machine, use --root <dir> of a root that has it, a container environment, or --build-network host",
      { missing: names, ...(first.kind !== undefined && { kind: first.kind }), output: tail },
    );
  }
  const wantsNetwork = offline && NETWORK.test(tail);
  const next = wantsNetwork
    ? "there is no network in builds: use a container environment, or --build-network host"
    : "see what it printed";
  const command = step.at.text.replaceAll(/\s+/gu, " ").slice(0, 100);
  return problem(step.at, `RUN ${command}: exit code ${code}`, `${next}\n${tail}`, {
    exit_code: code,
    output: tail,
  });
}

const NETWORK =
  /could not resolve|name resolution|network is unreachable|unable to resolve|getaddrinfo|no address associated|failed to establish a new connection|unable to access 'https?:/iu;

/** Returns the line of the instruction on which the name occurs. */
function lineOf({ at }: RunStep, name: string): number {
  const short = name.split(/[=<>~! ;[(]/u)[0] ?? "";
  const index =
    short === "" ? -1 : at.lines.findIndex((line) => line.split(/[\s"'=<>~!;&|[\]]+/u).includes(short));
  return at.line + Math.max(0, index);
}
