// Starts a Chromium for tests: $CHROMIUM_PATH, else the system's, else the one from npm.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { chromium, type Browser } from "playwright-core";

const SYSTEM_NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const MOST_ATTEMPTS = 300;
const PAUSE_MS = 200;

/** The browser, or the reason why there is none. */
export async function launchChromium(): Promise<Browser | string> {
  try {
    const executablePath = process.env["CHROMIUM_PATH"] ?? systemChromium() ?? (await packagedChromium());
    return await launch(executablePath);
  } catch (error) {
    return `no Chromium could be started: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Another worker may still unpack the packaged one: then the file is there, and busy until it is whole. */
async function launch(executablePath: string): Promise<Browser> {
  for (let attempt = 1; ; attempt++) {
    try {
      // Only this argument: the package's own list switches off web security.
      return await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !String(error).includes("ETXTBSY")) throw error;
      await setTimeout(PAUSE_MS);
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
