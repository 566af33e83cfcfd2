// Paths in a suite that lead into the workspace of a run: relative to it, and never out of it.
import { posix } from "node:path";
import { z } from "zod";

export const pathInside = z.string().min(1).superRefine(refuseWayOut);

/** For checks that look at files: a folder of the workspace that the other paths are relative to. */
export const workspacePath = pathInside.optional();

export function joinInside(folder: string | undefined, path: string): string {
  return posix.join(folder ?? ".", path);
}

function refuseWayOut(path: string, context: z.RefinementCtx): void {
  const absolute = posix.isAbsolute(path) || /^(?:[a-z]:|\\)/i.test(path);
  const steps = posix.normalize(path).split("/");
  if (!absolute && steps[0] !== ".." && !path.includes("\0")) return;
  const message = `${JSON.stringify(path)} leads out of the workspace`;
  const hint = "write it relative to the directory the run works in, without a way up";
  context.addIssue({ code: "custom", message, params: { hint } });
}
