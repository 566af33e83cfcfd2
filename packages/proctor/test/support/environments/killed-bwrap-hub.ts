// A hub that opens environments and is then killed: a program for tests.
import { createBwrapProvider } from "../../../src/environments/bwrap/provider.ts";
import { preparedEnvironment } from "./prepared.ts";

const [, , stateDir = "", seconds = ""] = process.argv;
const provider = createBwrapProvider({ stateDir });
for (const profile of ["strict", "multi-user"] as const) {
  const environment = await provider.open(
    preparedEnvironment({
      id: `left-${process.pid}-${profile}`,
      options: { limits: { memory_mb: 256, processes: 64, disk_mb: 64, cpus: 1 } },
      profile,
      rootName: "host",
    }),
  );
  const shell = await environment.openShell();
  await shell.run(`sleep ${seconds} & setsid nohup sleep ${seconds} >/dev/null 2>&1 &`, {
    timeoutMs: 10_000,
  });
  environment.start({ command: ["sleep", seconds] });
  await environment.openPty({ command: ["sleep", seconds] });
}
process.stdout.write("open\n");
setInterval(() => undefined, 1000);
