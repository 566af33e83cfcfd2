// The terminal of a run, for both formats: a shell for commands and one with a screen for keystrokes. Each is opened when first
// needed and begins where the other one is.
import { DEFAULT_LIMITS } from "../../../core/environment.ts";
import type { Environment } from "../../../core/ports/environments.ts";
import type { TermSettings } from "../settings.ts";
import type { Asciicast } from "../record/asciicast.ts";
import { createLineShell } from "./line-shell.ts";
import { createPtyShell } from "./pty-shell.ts";
import type { StepTerminal } from "./step-result.ts";

export function createTerminal(
  environment: Environment,
  settings: TermSettings,
  recording: Asciicast,
): StepTerminal {
  const { commandMs, outputLimit: excerptBytes } = settings;
  const outputMb = environment.facts.limits.output_mb ?? DEFAULT_LIMITS.output_mb;
  const line = createLineShell({
    environment,
    recording,
    commandMs,
    excerptBytes,
    wholeBytes: outputMb * 1024 * 1024,
    fresh: settings.shell === "fresh",
  });
  const screen = createPtyShell({ environment, recording, commandMs, excerptBytes });
  let cwd = environment.workdir;

  return {
    get cwd() {
      return cwd;
    },
    warmUp: () => line.warmUp(),
    async run(action, signal) {
      const result =
        action.kind === "command"
          ? await line.run(action.command, signal, cwd)
          : await screen.run(action.keys, signal, cwd);
      cwd = result.cwd;
      return result;
    },
  };
}
