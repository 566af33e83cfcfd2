// Where in a Dockerfile a build went wrong, from what the engine said about it.
import { ProctorError } from "../../core/errors.ts";

interface BuildTrouble {
  /** Name of the Dockerfile in messages. */
  file: string;
  dockerfile: string;
  /** Last error message of the engine. */
  message: string;
  /** Last step that the engine announced, in the engine's words. */
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

/** Resolves with the line of a step, from 1; the last of equal ones, because engines cache the results of the others. */
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

/** Returns the instruction without differences between engines: continued lines, spaces, the case of the keyword. */
function bare(instruction: string): string {
  return instruction
    .replace(/[\\`][ \t]*\n/g, "")
    .replace(/\s+/g, "")
    .replace(/^[a-z]+/i, (keyword) => keyword.toUpperCase());
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, 500);
}
