// Writes the programs that stand before those of the root.
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readProgram } from "../../runtime/files/read-program.ts";

/** Parts of one program: each uses names of those before it. */
const SERVE_PARTS = ["requirement", "packages", "targets", "real", "pip", "uv"];

/** Shims that begin with `start.sh`. */
const WITH_START = new Set(["apt", "download", "npm", "python"]);

const COMMANDS: Readonly<Record<string, string>> = {
  apt: "apt",
  "apt-get": "apt",
  curl: "download",
  wget: "download",
  npm: "npm",
  yarn: "npm",
  pip: "pip",
  pip3: "pip",
  python: "python",
  python3: "python",
  uv: "uv",
  uvx: "uvx",
};

/** Reads a file of `shims/`. */
export const readShim = (name: string): string => readProgram(`./shims/${name}`, import.meta.url);

/** Returns the program that serves pip, uv and uvx: one file, so that it can be put anywhere as `uv` and `uvx`. */
export function servePython(): string {
  const parts = SERVE_PARTS.map((name) => readShim(`${name}.py`));
  return [
    "#!/usr/bin/env python3",
    '"""pip, uv and uvx where there is no network: what this machine has is as good as installed."""',
    ...parts,
  ].join("\n");
}

/** Returns the content of the files by their path below the toolchain's directory. */
export function shims(): Record<string, string> {
  const commands = Object.entries(COMMANDS).map(([command, shim]) => {
    const start = WITH_START.has(shim) ? `${readShim("start.sh")}\n` : "";
    return [`bin/${command}`, start + readShim(`${shim}.sh`)] as const;
  });
  return {
    ...Object.fromEntries(commands),
    "lib/serve.py": servePython(),
    "lib/uv-install.sh": readShim("uv-install.sh"),
    "lib/missing-packages.cjs": readShim("missing-packages.cjs"),
  };
}

export async function writeShims(dir: string): Promise<void> {
  for (const [path, text] of Object.entries(shims())) {
    const file = join(dir, path);
    await mkdir(join(file, ".."), { recursive: true });
    await writeFile(file, text);
    await chmod(file, 0o755);
  }
}
