// Starts a Chromium for tests: $CHROMIUM_PATH, else the system's, else the one from npm.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, type Browser } from "playwright-core";

const SYSTEM_NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

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

async function packagedChromium(): Promise<string> {
  // Makes the package unpack the libraries it needs beside the program. Read when the package is loaded.
  process.env["VERCEL"] ??= "1";
  const { default: packaged } = await import("@sparticuz/chromium");
  return packaged.executablePath();
}
