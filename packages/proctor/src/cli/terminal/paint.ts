// Colours, or none: on a terminal unless NO_COLOR is set or TERM is dumb; elsewhere only when FORCE_COLOR asks for it.
import picocolors from "picocolors";
import type { RunStatus } from "../../core/run.ts";
import type { CliIo, CliOutput } from "../cli-io.ts";

export type Paint = ReturnType<typeof picocolors.createColors>;

export function createPaint(output: CliOutput, env: CliIo["env"]): Paint {
  return picocolors.createColors(wantsColour(output, env));
}

function wantsColour(output: CliOutput, env: CliIo["env"]): boolean {
  const { NO_COLOR: no, FORCE_COLOR: force } = env;
  if (no !== undefined && no !== "") return false;
  if (force !== undefined) return force !== "0" && force !== "false";
  return output.isTTY === true && env["TERM"] !== "dumb";
}

export function paintStatus(paint: Paint, status: RunStatus): (text: string) => string {
  switch (status) {
    case "completed":
      return paint.green;
    case "failed":
    case "timeout":
    case "rejected":
      return paint.red;
    case "cancelled":
    case "partial":
      return paint.yellow;
    case "running":
      return paint.cyan;
    case "paused":
    case "waiting":
      return paint.magenta;
    case "created":
    case "queued":
      return paint.dim;
    default:
      return status satisfies never;
  }
}

export function statusIcon(status: RunStatus): string {
  switch (status) {
    case "completed":
      return "✓";
    case "failed":
    case "timeout":
      return "✗";
    case "rejected":
      return "⊘";
    case "cancelled":
      return "■";
    case "partial":
      return "◐";
    case "running":
      return "▶";
    case "paused":
      return "‖";
    case "waiting":
      return "?";
    case "created":
    case "queued":
      return "○";
    default:
      return status satisfies never;
  }
}
