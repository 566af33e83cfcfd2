// Whether something stands at a path.
import { stat } from "node:fs/promises";

/** Follows links. Only absence counts as absent: any other problem with the path is left to its next reader. */
export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ENOENT");
  }
}
