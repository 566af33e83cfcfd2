// What is said about a file that should hold results and does not.
import type { z } from "zod";
import { ProctorError } from "../../core/errors.ts";

const EXPECTED =
  "expected a file of `proctor baseline save`, results of `proctor test`, or a report of --reporter json=<file>";

export function unreadable(file: string, why: string): ProctorError {
  return new ProctorError("FILE_UNREADABLE", `${file}  these are no results: ${why}\n${EXPECTED}`, {
    details: { file },
  });
}

/** `where` is the place of the document in the file, such as a line. */
export function parseResults<T extends z.ZodType>(
  schema: T,
  document: unknown,
  file: string,
  where = "",
): z.output<T> {
  const parsed = schema.safeParse(document);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = [where, issue?.path.join(".") ?? ""].filter((part) => part !== "").join(", ");
  throw unreadable(file, `${place === "" ? "" : `${place}: `}${issue?.message ?? "it has another shape"}`);
}
