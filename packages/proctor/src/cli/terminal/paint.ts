// Colours, or none: on a terminal unless NO_COLOR is set or TERM is dumb; elsewhere only when FORCE_COLOR asks for it.
import picocolors from "picocolors";
import type { RunStatus } from "../../core/run.ts";
import type { CliIo, CliOutput } from "../cli-io.ts";

export type Paint = ReturnType<typeof picocolors.createColors>;
/** The colours that mean something here. */
export type Colour = "dim" | "cyan" | "magenta" | "green" | "yellow" | "red" | "blue";

export function createPaint(output: CliOutput, env: CliIo["env"]): Paint {
  return picocolors.createColors(wantsColour(output, env));
}

function wantsColour(output: CliOutput, env: CliIo["env"]): boolean {
  const { NO_COLOR: no, FORCE_COLOR: force } = env;
  if (no !== undefined && no !== "") return false;
  if (force !== undefined) return force !== "0" && force !== "false";
  return output.isTTY === true && env["TERM"] !== "dumb";
}

const STATUS_LOOKS: Record<RunStatus, readonly [icon: string, colour: Colour]> = {
  created: ["○", "dim"],
  queued: ["○", "dim"],
  running: ["▶", "cyan"],
  paused: ["‖", "magenta"],
  waiting: ["?", "magenta"],
  completed: ["✓", "green"],
  partial: ["◐", "yellow"],
  cancelled: ["■", "yellow"],
  failed: ["✗", "red"],
  timeout: ["✗", "red"],
  rejected: ["⊘", "red"],
};

export function paintStatus(paint: Paint, status: RunStatus): (text: string) => string {
  return paint[STATUS_LOOKS[status][1]];
}

export function statusIcon(status: RunStatus): string {
  return STATUS_LOOKS[status][0];
}
