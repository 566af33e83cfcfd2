// A hub of an ordinary user: a program for tests. Prints what it could do as JSON.
import { createBwrapProvider } from "../../../src/environments/bwrap/provider.ts";
import { HANG_MS } from "../eventually.ts";
import { preparedEnvironment } from "./prepared.ts";

const [, , stateDir = ""] = process.argv;
const provider = createBwrapProvider({ stateDir });
const { available, detail, profiles, limits } = await provider.probe();
let count = 0;

const open = (more: object = {}) =>
  provider.open(
    preparedEnvironment({
      id: `user-${process.pid}-${++count}`,
      options: { limits: { memory_mb: 512, processes: 50, disk_mb: 32 } },
      rootName: "host",
      ...more,
    }),
  );

async function results(): Promise<Record<string, unknown>> {
  const first = await open();
  const sh = async (script: string, environment = first): Promise<string> => {
    const { stdout, stderr } = await environment.run({
      command: ["bash", "-c", script],
      timeoutMs: HANG_MS,
    });
    return (stdout + stderr).trim();
  };
  const seen = {
    id: await sh("id -u"),
    written: await sh("echo x > /app/x; echo y > /etc/y; cat /app/x /etc/y; rm /etc/hosts"),
    system: await sh("echo z > /usr/z"),
    shadow: await sh("cut -d: -f2 /etc/shadow | sort -u"),
    disk: await sh("head -c 50000000 /dev/zero > big; rm big"),
    processes: await sh("for i in $(seq 80); do sleep 2 & done 2>&1 | head -n 1"),
    changes: (await first.changes()).map(({ path, change }) => `${change} ${path}`),
    rights: await sh("unshare -Ur true; mount -t tmpfs x /mnt 2>&1 | head -n 1"),
  };
  const chunks: Uint8Array[] = [];
  for await (const chunk of first.snapshot({ maxBytes: 1e8 })) chunks.push(chunk);
  const second = await open({
    network: first,
    restore: (async function* () {
      yield* chunks;
    })(),
  });
  const restored = await sh("cat /app/x /etc/y; ls /etc/hosts", second);
  await Promise.all([first.destroy(), second.destroy()]);
  return { ...seen, restored };
}

process.stdout.write(
  JSON.stringify({ available, detail, profiles, limits, ...(available ? await results() : {}) }),
);
