// Runs a program in the directory a run worked in. What the agent wrote may be run by it: it gets few variables, an end to
// its time, and nothing of it is left.
import { messageOf } from "../../core/message-of.ts";
import { join } from "node:path";
import { formatCommandLine } from "../../core/command-line.ts";
import type { CommandResult } from "../../core/ports/commands.ts";
import type { CheckSubject } from "../check.ts";
import { quote } from "../../core/printable.ts";
import { fail, unevaluated } from "../verdict.ts";
import type { Verdict } from "../verdict.ts";
import { outputDetails, wrote } from "./command-output.ts";
import { joinInside } from "./workspace-path.ts";

interface ProgramOptions {
  words: readonly string[];
  /** The folder of the workspace to run in. */
  cwd?: string | undefined;
  env?: Readonly<Record<string, string>> | undefined;
  input?: string | undefined;
  timeoutSeconds: number;
  /** The hint that tells how to install the program. */
  install?: string;
  /** Hides secrets in the output before it is shown. */
  hide?: (text: string) => string;
}

/** The result of a program that ended, or the verdict that needs none. */
type Ran = { result: CommandResult; verdict?: undefined } | { result?: undefined; verdict: Verdict };

/** The limit of one stream. Test runners may print a lot before their result. */
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;

export async function runInWorkspace(subject: CheckSubject, options: ProgramOptions): Promise<Ran> {
  const workspace = await subject.workspace();
  const { words, cwd = ".", env, input, timeoutSeconds, install, hide = same } = options;
  const kind = await workspace.kind(cwd);
  if (kind === "outside")
    return { verdict: unevaluated(`${quote(cwd)} is a link that leads out of the workspace`) };
  if (kind !== "directory") return { verdict: fail(`the workspace has no folder ${quote(cwd)}`) };
  const [program = ""] = words;
  // A program in the workspace is the agent's to make; any other must be installed here.
  const own = program.includes("/") && !program.startsWith("/");
  if (own && (await workspace.kind(joinInside(cwd, program))) === "missing")
    return { verdict: fail(`the workspace has no program ${quote(program)}`) };

  let result: CommandResult;
  try {
    result = await subject.services.runCommand(
      {
        command: words,
        cwd: join(workspace.path, cwd),
        env: {
          NO_COLOR: "1",
          ...env,
          PROCTOR_RUN_ID: subject.run.id,
          PROCTOR_WORKSPACE: workspace.path,
          PROCTOR_SUITE_FOLDER: subject.folder,
        },
        ...(input !== undefined && { input }),
        timeoutMs: timeoutSeconds * 1000,
        maxOutputBytes: MAX_OUTPUT_BYTES,
      },
      subject.signal,
    );
  } catch (error) {
    if (subject.signal.aborted) throw error;
    const reason = messageOf(error);
    return { verdict: unevaluated(`${reason}${install === undefined ? "" : `; ${install}`}`) };
  }
  if (!result.timedOut) return { result };
  const message = `${commandName(words)} did not end within ${timeoutSeconds} s${wrote(result, hide)}`;
  return { verdict: fail(message, outputDetails(result, hide)) };
}

/** The command in quotes, for messages. */
export function commandName(words: readonly string[]): string {
  return quote(formatCommandLine(words), 120);
}

const same = (text: string): string => text;
