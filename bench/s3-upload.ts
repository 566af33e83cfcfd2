// Uploading 1 GB to a bucket: the resident memory of the process, which hashes the bytes on the way and stores them under their hash.
import { fileURLToPath } from "node:url";
import { measureProgram } from "./measured-program.ts";
import type { Result } from "./measure.ts";
import { startBare } from "./processes.ts";

const UPLOADER = fileURLToPath(new URL("./s3-uploader.mjs", import.meta.url));
const MEGABYTES = 1024;

export async function bench(): Promise<Result> {
  const bucket = await startBare("./bare-s3.mjs");
  try {
    const args = [UPLOADER, `http://127.0.0.1:${bucket.port}`, String(MEGABYTES)];
    const { peakMb, wallSeconds, cpuSeconds, code, output } = await measureProgram(args, {
      cwd: process.cwd(),
    });
    if (code !== 0) throw new Error(output);
    return {
      name: "s3-upload",
      what: "resident memory of a process that uploads 1 GB to a bucket",
      value: peakMb,
      bound: { atMost: 200 },
      unit: "MB",
      details: { "MB/s": MEGABYTES / wallSeconds, "CPU s": cpuSeconds },
    };
  } finally {
    await bucket.stop();
  }
}
