/** A real browser: the system's own Chromium. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export function startChromium(): Promise<Browser> {
  const executablePath = process.env["CHROMIUM"] ?? PLACES.find((path) => existsSync(path));
  if (executablePath === undefined)
    throw new Error("Chromium is not here. Install it, or say where it is: CHROMIUM=/path/to/chromium");
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}
