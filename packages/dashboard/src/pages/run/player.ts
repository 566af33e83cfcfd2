// The player of terminal recordings, apart from everything else because of its size.
import { create } from "asciinema-player";
import "asciinema-player/dist/bundle/asciinema-player.css";

export function openPlayer(recording: string, place: HTMLElement): { dispose: () => void } {
  return create({ data: recording }, place, { fit: "width", idleTimeLimit: 2, terminalFontSize: "14px" });
}
