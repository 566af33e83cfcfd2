// What a terminal of a given size shows. Rendering is slow compared with reading, so bytes wait until somebody looks, and only the
// end of a flood is rendered.
import type { Terminal } from "@xterm/headless";

export interface Screen {
  feed(piece: Buffer): void;
  /** Resolves with the lines, without blanks at the end of a line or of the screen. */
  text(): Promise<string>;
  /** Resolves with the line of the cursor, up to the cursor. */
  cursorLine(): Promise<string>;
  close(): void;
}

/** Bytes that may wait: they fill any screen many times over. */
const MAX_WAITING_BYTES = 512 * 1024;
/** Switches that outlast what was on the screen: the other screen, the cursor, margins. */
// oxlint-disable-next-line no-control-regex
const MODES = /\u001b(?:\[\?[\d;]+[hl]|\[[\d;]*r|c)/g;

export function createScreen(columns: number, rows: number): Screen {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let modes = "";
  let terminal: Terminal | undefined;

  /** Drops whole pieces, the oldest first, and keeps the modes that they switched. */
  function forget(): void {
    while (waitingBytes > MAX_WAITING_BYTES && waiting.length > 1) {
      const dropped = waiting.shift();
      if (dropped === undefined) return;
      waitingBytes -= dropped.length;
      if (dropped.includes(0x1b)) {
        modes = (modes + (dropped.toString("latin1").match(MODES) ?? []).join("")).slice(-4096);
      }
    }
  }

  async function open(): Promise<Terminal> {
    const loaded = await import("@xterm/headless");
    // A CommonJS module, whose exports Node gives as the default one; its types do not say so.
    const { Terminal: Create } = ("default" in loaded ? loaded.default : loaded) as typeof loaded;
    return new Create({ cols: columns, rows, scrollback: 0, allowProposedApi: true });
  }

  async function render(): Promise<Terminal> {
    terminal ??= await open();
    const shown = terminal;
    if (waiting.length === 0) return shown;
    const bytes = Buffer.concat(modes === "" ? waiting : [Buffer.from(modes, "latin1"), ...waiting]);
    waiting = [];
    waitingBytes = 0;
    modes = "";
    await new Promise<void>((resolve) => shown.write(bytes, resolve));
    return shown;
  }

  return {
    feed(piece) {
      waiting.push(piece);
      waitingBytes += piece.length;
      if (waitingBytes > MAX_WAITING_BYTES) forget();
    },
    async text() {
      const { active } = (await render()).buffer;
      const lines: string[] = [];
      for (let row = 0; row < rows; row++) {
        lines.push(active.getLine(active.viewportY + row)?.translateToString(true) ?? "");
      }
      return lines.join("\n").trimEnd();
    },
    async cursorLine() {
      const { active } = (await render()).buffer;
      const line = active.getLine(active.baseY + active.cursorY);
      return line?.translateToString(false, 0, active.cursorX) ?? "";
    },
    close: () => terminal?.dispose(),
  };
}
