// What the filter says to calls, read as the kernel reads it. attacks.test.ts tries them on this machine's own kernel.
import { describe, expect, it } from "vitest";
import { seccompFilter } from "./seccomp.ts";

const X64 = 0xc000003e;
const IA32 = 0x40000003;
const ARM64 = 0xc00000b7;
const ARM32 = 0x40000028;
const VSOCK = 40;

it("the filter of system calls exists for the machines whose calls are known", () => {
  expect(seccompFilter("mips")).toBeUndefined();
});

describe.each<
  [name: string, machine: string, audit: number, socket: number, socketpair: number, open: number]
>([
  ["x64", "x64", X64, 41, 53, 257],
  ["ia32 on x64", "x64", IA32, 359, 360, 295],
  ["arm64", "arm64", ARM64, 198, 199, 56],
])("the filter for %s", (_, machine, audit, socket, socketpair, open) => {
  const answer = (number: number, ...args: number[]) => ask(machine, audit, number, args);

  it("allows sockets of UNIX, INET, INET6 and the routes of NETLINK, and no others", () => {
    for (const call of [socket, socketpair]) {
      for (let family = 0; family < 64; family++) {
        const allowed = [1, 2, 10, 16].includes(family);
        expect({ family, is: answer(call, family, 1, 0) }).toEqual({
          family,
          is: allowed ? "allow" : "EAFNOSUPPORT",
        });
      }
      expect(answer(call, 16, 3, 9)).toBe("EAFNOSUPPORT");
      expect(answer(call, 2, 2, 17)).toBe("allow");
    }
  });

  it("lets other calls pass, and refuses those of another architecture", () => {
    expect(answer(open, VSOCK)).toBe("allow");
    expect(ask(machine, ARM32, 281, [VSOCK])).toBe("ENOSYS");
  });
});

it("the filter of system calls refuses what makes sockets by a list in memory, and every call of x32", () => {
  const socketcall = (operation: number) => ask("x64", IA32, 102, [operation, 0]);
  expect([socketcall(1), socketcall(8), socketcall(3)]).toEqual(["EAFNOSUPPORT", "EAFNOSUPPORT", "allow"]);
  expect(ask("x64", X64, 0x40000000 | 41, [VSOCK])).toBe("ENOSYS");
});

/** Runs the filter's instructions on one call. */
function ask(machine: string, audit: number, number: number, args: readonly number[]): string {
  const filter = Buffer.from(seccompFilter(machine) ?? expect.fail("no filter"));
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number >>> 0, 0);
  data.writeUInt32LE(audit, 4);
  for (const [index, value] of args.entries()) data.writeUInt32LE(value, 16 + 8 * index);
  let held = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const operand = filter.readUInt32LE(at + 4);
    const jump = (holds: boolean): void => void (at += 8 * filter.readUInt8(at + (holds ? 2 : 3)));
    const code = filter.readUInt16LE(at);
    if (code === 0x20) held = data.readUInt32LE(operand);
    else if (code === 0x15) jump(held === operand);
    else if (code === 0x35) jump(held >= operand);
    else if (code === 0x45) jump((held & operand) !== 0);
    else if (code === 0x06) return ANSWERS[operand] ?? String(operand);
    else throw new Error(`an unknown instruction: ${code}`);
  }
  throw new Error("the filter ends without an answer");
}

const ANSWERS: Record<number, string> = {
  0x7fff0000: "allow",
  [0x00050000 | 1]: "EPERM",
  [0x00050000 | 38]: "ENOSYS",
  [0x00050000 | 97]: "EAFNOSUPPORT",
};
