// Loaded into a program that is measured: at its end it writes the CPU seconds and the peak memory that it used to a file in the folder
// PROCTOR_BENCH_USE.
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const folder = process.env["PROCTOR_BENCH_USE"];
if (folder !== undefined && isMainThread) {
  process.on("exit", () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const used = { cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakMb: maxRSS / 1024 };
    writeFileSync(`${folder}/${process.pid}`, JSON.stringify(used));
  });
}
