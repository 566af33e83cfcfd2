// `proctor migrate`: everything of one database into another, compared afterwards.
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ProctorError } from "../../../core/errors.ts";
import { groupDigits } from "../../../core/group-digits.ts";
import type { CommandContext } from "../../compose/compose.ts";
import type { MoveDirection } from "../../compose/move-database.ts";
import { createLiveLine } from "../../terminal/live-line.ts";
import { createScreen } from "../../terminal/screen.ts";
import type { MigrateFlags } from "./flags.ts";

export function migrate(
  direction: MoveDirection,
): (flags: MigrateFlags, context: CommandContext) => Promise<number> {
  return async (flags, { io, composition }) => {
    const { from, to } = flags;
    if (from === undefined || to === undefined)
      throw new ProctorError("USAGE", "a move needs --from and --to\nsee: proctor migrate --help");
    const [file, url] = direction === "sqlite-to-postgres" ? [from, to] : [to, from];
    const config = await composition.loadConfig({
      cwd: io.cwd,
      env: io.env,
      flags: { config: flags.config },
    });
    let now = "";
    const line = createLiveLine(io.stderr, () => now);
    try {
      const moved = await composition.moveDatabase(config, {
        direction,
        file: pathOf(file, io.cwd),
        url,
        blobs: flags.blobs === true,
        signal: io.signal,
        onProgress({ step, done, total }) {
          now = `${step}  ${groupDigits(done)} of ${groupDigits(total)}`;
        },
      });
      line.stop();
      const screen = createScreen(io);
      if (flags.json === true) screen.printJson({ ...moved });
      else {
        const { rows, logs, checksum, continued, blobs } = moved;
        screen.print(
          ...(continued ? ["continued a move that was interrupted"] : []),
          `${groupDigits(rows["runs"] ?? 0)} runs with ${groupDigits(rows["events"] ?? 0)} events moved`,
          `${groupDigits(logs)} logs compared, event by event: equal (${checksum.slice(0, 16)})`,
          ...(blobs
            ? [`${groupDigits(blobs.copied)} files copied, ${groupDigits(blobs.present)} were there`]
            : []),
          ...(blobs && blobs.missing > 0 ? [missingFiles(blobs)] : []),
          "The source is as it was. Start hubs and workers on the target now.",
        );
      }
      return 0;
    } finally {
      line.stop();
    }
  };
}

function missingFiles({ missing, firstMissing }: { missing: number; firstMissing?: string }): string {
  return `${groupDigits(missing)} files are missing where they should be (the first has the sha256 ${firstMissing}): their artifacts stay without content`;
}

/** Returns the absolute path of a file that is given by its path, or with `file:` as in DATABASE_URL. */
function pathOf(text: string, cwd: string): string {
  if (text.startsWith("file://")) return fileURLToPath(text);
  return resolve(cwd, text.replace(/^file:/, ""));
}
