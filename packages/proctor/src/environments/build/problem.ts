// How a Dockerfile is refused: which line, what is wrong with it, and what to do next.
import { ProctorError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";

export interface Place {
  /** Name of the file in messages: `Dockerfile`. */
  file: string;
  line: number;
}

export const USE_ANOTHER = "use a container environment, or --root <dir> of a root that has it";

export function problem(
  { file, line }: Place,
  what: string,
  next: string,
  more: JsonObject = {},
): ProctorError {
  return new ProctorError("BUILD_FAILED", `${file}:${line}: ${what}\n${next}`, {
    details: { file, line, ...more },
  });
}
