import { describe, expect, it } from "vitest";
import { encodeKeys } from "./keys.ts";

describe("keystrokes", () => {
  it.each([
    // Text as it is; the key Enter for a line break.
    ["echo 'hello' > file.txt\n", "echo 'hello' > file.txt\r"],
    ["a\r\nb\n", "a\rb\r"],
    ["", ""],
    ["x", "x"],
    ["-la", "-la"],
    ["ls;", "ls;"],
    ["end", "end"],
    ["echo C-c", "echo C-c"],
    ["tab\t", "tab\t"],
    ["grep '[Up]' f\n", "grep '[Up]' f\r"],
    // tmux's names, alone or in a row.
    ["C-c", "\u0003"],
    ["C-d", "\u0004"],
    ["C-Z", "\u001a"],
    ["C-[", "\u001b"],
    ["C-Space", "\0"],
    ["^C", "\u0003"],
    ["Enter", "\r"],
    ["Escape", "\u001b"],
    ["BSpace", "\u007f"],
    ["Tab", "\t"],
    ["BTab", "\u001b[Z"],
    ["Up", "\u001b[A"],
    ["PPage", "\u001b[5~"],
    ["F5", "\u001b[15~"],
    ["M-x", "\u001bx"],
    ["C-M-a", "\u001b\u0001"],
    ["C-Up", "\u001b[1;5A"],
    ["S-Right", "\u001b[1;2C"],
    ["C-c C-d Enter", "\u0003\u0004\r"],
    ["Escape : w q Enter", "Escape : w q Enter"],
    // In brackets: alone any key, Ctrl anywhere.
    ["[Ctrl-C]", "\u0003"],
    ["[ctrl+d]", "\u0004"],
    ["[^C]", "\u0003"],
    ["[Enter]", "\r"],
    ["[Esc] [Up]", "\u001b\u001b[A"],
    ["[Alt-x]", "\u001bx"],
    ["sleep 9\n[Ctrl-C]", "sleep 9\r\u0003"],
    ["echo [Enter]\n", "echo [Enter]\r"],
  ])("%j are the bytes %j", (keystrokes, bytes) => {
    expect(encodeKeys(keystrokes)).toBe(bytes);
  });
});
