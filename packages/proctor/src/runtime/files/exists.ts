// Whether something stands at a path.
import { stat } from "node:fs/promises";

/** Follows links. Only absence counts as absent: whatever else is wrong with the path, its next reader reports. */
export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ENOENT");
  }
}
