// Whether something stands at a path.
import { access } from "node:fs/promises";

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
