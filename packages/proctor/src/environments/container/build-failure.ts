// Where in a Dockerfile a build went wrong, from what the engine said about it.
import { ProctorError } from "../../core/errors.ts";

interface BuildTrouble {
  /** The file's name for people. */
  file: string;
  dockerfile: string;
  /** The engine's last word. */
  message: string;
  /** The last step that it announced, as it stands there. */
  step: string | undefined;
  /** The last output of the build. */
  output: string;
}

export async function buildFailure({
  file,
  dockerfile,
  message,
  step,
  output,
}: BuildTrouble): Promise<ProctorError> {
  const named = /building at STEP "(.*?)":/s.exec(message)?.[1] ?? step;
  const told = /parse error (?:on )?line (\d+)/i.exec(message)?.[1];
  const line = told === undefined ? await lineOf(dockerfile, named) : Number(told);
  const where = line === undefined ? file : `${file}:${line}`;
  const what = named === undefined ? "" : `${oneLine(named)}: `;
  const tail = output.trim() === "" ? "" : `\n${output.trim()}`;
  return new ProctorError("BUILD_FAILED", `${where}  ${what}${oneLine(message)}${tail}`, {
    details: {
      file,
      ...(line !== undefined && { line }),
      ...(named !== undefined && { instruction: oneLine(named) }),
    },
  });
}

/** Counted from 1. The last of those that read the same: engines keep the results of the others. */
async function lineOf(dockerfile: string, step: string | undefined): Promise<number | undefined> {
  if (step === undefined) return undefined;
  const { DockerfileParser } = await import("dockerfile-ast");
  const lines = dockerfile.split(/\r?\n/);
  const found = DockerfileParser.parse(dockerfile)
    .getInstructions()
    .findLast((instruction) => {
      const { start, end } = instruction.getRange();
      const text = lines.slice(start.line, end.line + 1).filter((line) => !/^\s*#/.test(line));
      return bare(text.join("\n")) === bare(step);
    });
  return found && found.getRange().start.line + 1;
}

/** The instruction without what engines write differently: continued lines, spaces, the case of the keyword. */
function bare(instruction: string): string {
  return instruction
    .replace(/[\\`][ \t]*\n/g, "")
    .replace(/\s+/g, "")
    .replace(/^[a-z]+/i, (keyword) => keyword.toUpperCase());
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, 500);
}
