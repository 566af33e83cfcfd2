// Images of Python call it `python`, have it in /usr/local/bin, and let pip install anything; Debian does none of that.
import type { Environment } from "../../core/ports/environments.ts";

const SCRIPT = `mkdir -p /usr/local/bin
python3=$(command -v python3) || exit 1
for name in python python3; do
  [ -e "/usr/local/bin/$name" ] || ln -s "$python3" "/usr/local/bin/$name"
done
if pip3=$(command -v pip3); then
  [ -e /usr/local/bin/pip ] || ln -s "$pip3" /usr/local/bin/pip
fi
rm -f /usr/lib/python3*/EXTERNALLY-MANAGED`;

export async function linkPython(environment: Environment, signal: AbortSignal): Promise<void> {
  const { code, stderr } = await environment.run({
    command: ["/bin/sh", "-c", SCRIPT],
    cwd: "/",
    timeoutMs: 60_000,
    signal,
  });
  if (code !== 0) throw new Error(`the root's Python could not be linked: ${stderr.trim()}`);
}

/** Identity of this step, a part of the layer's hash. */
linkPython.identity = ["python", SCRIPT];
