// COPY --from=ghcr.io/astral-sh/uv: our own uv and uvx, which serve what the root has.
import { basename } from "node:path";
import { servePython } from "../toolchain/write-shims.ts";
import type { Source } from "./context/list-sources.ts";
import type { CopyStep } from "./plan.ts";
import { problem } from "./problem.ts";

export function uvSources({ sources, at }: CopyStep): Source[] {
  return sources.map((path) => {
    const name = basename(path);
    if (name !== "uv" && name !== "uvx") {
      throw problem(at, `COPY --from=…/uv of ${path}: there is only uv and uvx`, "copy /uv and /uvx");
    }
    const content = servePython();
    const sizeBytes = Buffer.byteLength(content);
    const entry = { path: "", type: "file" as const, mode: 0o755, sizeBytes, mtimeMs: 0, content };
    return { name, type: "file", entries: [entry] };
  });
}
