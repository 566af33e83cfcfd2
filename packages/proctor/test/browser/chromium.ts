// Starts a Chromium for tests: $CHROMIUM_PATH, else the system's, else the one from npm.
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { chromium, type Browser } from "playwright-core";

const SYSTEM_NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const LOCK_PAUSE_MS = 20;

/** The browser, or the reason why there is none. */
export async function launchChromium(): Promise<Browser | string> {
  try {
    const executablePath = process.env["CHROMIUM_PATH"] ?? systemChromium() ?? (await packagedChromium());
    // Only this argument: the package's own list switches off web security.
    return await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  } catch (error) {
    return `no Chromium could be started: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function systemChromium(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders
    .flatMap((folder) => SYSTEM_NAMES.map((name) => join(folder, name)))
    .find((path) => isExecutable(path));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The package takes a file that is there for a whole one, even while another worker unpacks it: half a program does not start, and half of the fonts
 * change every width. So it is unpacked by one after the other, in a folder that counts only when it is marked as whole.
 */
async function packagedChromium(): Promise<string> {
  const folder = join(tmpdir(), "proctor-chromium");
  const whole = join(folder, "whole");
  // Workers of one run have one parent; a lock that a killed run left holds up no other.
  const lock = `${folder}.lock-${process.ppid}`;
  // Benchmarks and scripts start a browser, too: nothing of vitest is used here.
  while (!couldTake(lock)) await pause(LOCK_PAUSE_MS);
  try {
    if (!existsSync(whole)) rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const path = await unpackIn(folder);
    // The package's own list of fonts names `/tmp/fonts`, whatever the folder: without it no page has a single letter.
    const fonts = join(folder, "fonts");
    writeFileSync(
      join(fonts, "fonts.conf"),
      `<fontconfig><dir>${fonts}</dir><cachedir>${folder}/cache</cachedir></fontconfig>`,
    );
    writeFileSync(whole, "");
    return path;
  } finally {
    rmSync(lock, { force: true });
  }
}

function couldTake(lock: string): boolean {
  try {
    closeSync(openSync(lock, "wx"));
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** The package asks for the folder for temporary files when it is loaded, and when it unpacks. */
async function unpackIn(folder: string): Promise<string> {
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  // Makes the package unpack the libraries it needs beside the program. Read when the package is loaded.
  process.env["VERCEL"] ??= "1";
  try {
    const { default: packaged } = await import("@sparticuz/chromium");
    return await packaged.executablePath();
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
}
