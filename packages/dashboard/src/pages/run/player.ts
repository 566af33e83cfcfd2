// The player of terminal recordings, apart from everything else because of its size.
import { create } from "asciinema-player";
import "asciinema-player/dist/bundle/asciinema-player.css";

export interface Player {
  /** Names of the marks in the recording, in order. */
  marks: readonly string[];
  jump(mark: number): void;
  /** Sets the speed: 1 is that of the recording. */
  setSpeed(speed: number): void;
  close(): void;
}

export function openPlayer(recording: string, place: HTMLElement): Player {
  const open = (more: { speed?: number; startAt?: number; autoPlay?: boolean }) =>
    create({ data: recording }, place, { fit: "width", idleTimeLimit: 2, terminalFontSize: "14px", ...more });
  let player = open({});
  return {
    marks: marksOf(recording),
    jump: (mark) => void player.seek({ marker: mark }),
    setSpeed(speed) {
      const startAt = player.getCurrentTime() ?? 0;
      player.dispose();
      player = open({ speed, startAt, autoPlay: true });
    },
    close: () => player.dispose(),
  };
}

function marksOf(recording: string): string[] {
  return recording.split("\n").flatMap((line) => {
    if (!/^\[[\d.]+, *"m"/.test(line)) return [];
    try {
      return String((JSON.parse(line) as unknown[])[2]);
    } catch {
      // The player says what is wrong with the recording.
      return [];
    }
  });
}
