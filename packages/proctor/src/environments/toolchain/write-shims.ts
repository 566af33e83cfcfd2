// Writes the programs that stand before those of the root.
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { APT_SH, UV_INSTALL_SH } from "./shims/apt.ts";
import { DOWNLOAD_SH } from "./shims/download.ts";
import { NPM_SH } from "./shims/npm.ts";
import { PACKAGES_PY } from "./shims/packages.ts";
import { PIP_PY } from "./shims/pip.ts";
import { REAL_PY } from "./shims/real.ts";
import { REQUIREMENT_PY } from "./shims/requirement.ts";
import { PIP_SH, PYTHON_SH, UV_SH, UVX_SH } from "./shims/shell.ts";
import { TARGETS_PY } from "./shims/targets.ts";
import { UV_PY } from "./shims/uv.ts";

/** One file, so that it can be put anywhere as `uv` and `uvx`. */
export const SERVE_PY = [
  "#!/usr/bin/env python3",
  '"""pip, uv and uvx where there is no network: what this machine has is as good as installed."""',
  REQUIREMENT_PY,
  PACKAGES_PY,
  TARGETS_PY,
  REAL_PY,
  PIP_PY,
  UV_PY,
].join("\n");

export const SHIMS: Readonly<Record<string, string>> = {
  "bin/apt": APT_SH,
  "bin/apt-get": APT_SH,
  "bin/curl": DOWNLOAD_SH,
  "bin/wget": DOWNLOAD_SH,
  "bin/npm": NPM_SH,
  "bin/yarn": NPM_SH,
  "bin/pip": PIP_SH,
  "bin/pip3": PIP_SH,
  "bin/python": PYTHON_SH,
  "bin/python3": PYTHON_SH,
  "bin/uv": UV_SH,
  "bin/uvx": UVX_SH,
  "lib/serve.py": SERVE_PY,
  "lib/uv-install.sh": UV_INSTALL_SH,
};

export async function writeShims(dir: string): Promise<void> {
  for (const [path, text] of Object.entries(SHIMS)) {
    const file = join(dir, path);
    await mkdir(join(file, ".."), { recursive: true });
    await writeFile(file, text);
    await chmod(file, 0o755);
  }
}
