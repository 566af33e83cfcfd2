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

export interface Errand {
  words: readonly string[];
  /** A folder of the workspace. */
  cwd?: string | undefined;
  env?: Readonly<Record<string, string>> | undefined;
  input?: string | undefined;
  timeoutSeconds: number;
  /** How to get the program, for whoever does not have it. */
  install?: string;
  /** Before anything of the output is shown. */
  hide?: (text: string) => string;
}

/** Either it ended, or there is nothing more to judge. */
export type Ran = { result: CommandResult; verdict?: undefined } | { result?: undefined; verdict: Verdict };

/** Of the output of one stream. Test runners may say a lot before they say what came out. */
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;

export async function runInWorkspace(subject: CheckSubject, errand: Errand): Promise<Ran> {
  const workspace = await subject.workspace();
  const { words, cwd = ".", env, input, timeoutSeconds, install, hide = same } = errand;
  const kind = await workspace.kind(cwd);
  if (kind === "outside")
    return { verdict: unevaluated(`${quote(cwd)} is a link that leads out of the workspace`) };
  if (kind !== "directory") return { verdict: fail(`the workspace has no folder ${quote(cwd)}`) };
  const [program = ""] = words;
  // What has a place in the workspace is the agent's to make; everything else is ours to install.
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

/** In quotes, for messages. */
export function commandName(words: readonly string[]): string {
  return quote(formatCommandLine(words), 120);
}

const same = (text: string): string => text;
