// Starts a Chromium for tests: $CHROMIUM_PATH, else the system's, else the one from npm.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { chromium, type Browser } from "playwright-core";

const TRIES = 200;
const BETWEEN_TRIES_MS = 100;
const SYSTEM_NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The browser, or the reason why there is none. */
export async function launchChromium(): Promise<Browser | string> {
  try {
    const executablePath = process.env["CHROMIUM_PATH"] ?? systemChromium() ?? (await packagedChromium());
    // Only this argument: the package's own list switches off web security.
    return await launchWhenWritten(() => chromium.launch({ executablePath, args: ["--no-sandbox"] }));
  } catch (error) {
    return `no Chromium could be started: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Another test file may be unpacking the program at this moment: it cannot be started while it is written. */
async function launchWhenWritten(launch: () => Promise<Browser>): Promise<Browser> {
  for (let left = TRIES; ; left--) {
    try {
      return await launch();
    } catch (error) {
      if (left === 0 || !(error instanceof Error) || !error.message.includes("ETXTBSY")) throw error;
      await setTimeout(BETWEEN_TRIES_MS);
    }
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

async function packagedChromium(): Promise<string> {
  // Makes the package unpack the libraries it needs beside the program. Read when the package is loaded.
  process.env["VERCEL"] ??= "1";
  const { default: packaged } = await import("@sparticuz/chromium");
  return packaged.executablePath();
}
