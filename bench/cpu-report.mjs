// Loaded into a program that is measured: when it ends, it leaves the CPU seconds it has used in PROCTOR_BENCH_CPU.
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const folder = process.env["PROCTOR_BENCH_CPU"];
if (folder !== undefined && isMainThread) {
  process.on("exit", () => {
    const { user, system } = process.cpuUsage();
    writeFileSync(`${folder}/${process.pid}`, String((user + system) / 1e6));
  });
}
