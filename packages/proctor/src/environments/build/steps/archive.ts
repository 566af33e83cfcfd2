// Whether ADD unpacks a file: tar archives, plain or compressed, recognised by their bytes.
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createGunzip } from "node:zlib";

/** Resolves with the flag for `tar`, or undefined where the file is not an archive. */
export async function archiveFlag(path: string): Promise<string | undefined> {
  const head = await firstBytes(path, 512);
  if (isTar(head)) return "";
  if (head[0] === 0x1f && head[1] === 0x8b) return isTar(await firstUnzipped(path)) ? "z" : undefined;
  // The content of these formats cannot be read here, so the name decides.
  const named = /\.(?:tar\.\w+|tbz2?|txz|tzst)$/iu.test(path);
  if (head.subarray(0, 3).toString("latin1") === "BZh") return named ? "j" : undefined;
  if (head.subarray(1, 5).toString("latin1") === "7zXZ") return named ? "J" : undefined;
  return undefined;
}

async function firstBytes(path: string, count: number): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function firstUnzipped(path: string): Promise<Buffer> {
  const source = createReadStream(path, { end: 64 * 1024 });
  const unzipped = source.pipe(createGunzip());
  try {
    for await (const chunk of unzipped) return Buffer.from(chunk as Buffer);
  } catch {
    // The file is not gzip after all.
  } finally {
    source.destroy();
    unzipped.destroy();
  }
  return Buffer.alloc(0);
}

/** Whether the header has the right checksum: eight octal digits at 148, which count as blanks. */
function isTar(head: Buffer): boolean {
  if (head.length < 512) return false;
  const written = Number.parseInt(head.subarray(148, 156).toString("latin1").replaceAll("\0", " ").trim(), 8);
  let sum = 0;
  for (let at = 0; at < 512; at += 1) sum += at >= 148 && at < 156 ? 0x20 : (head[at] ?? 0);
  return sum === written;
}
