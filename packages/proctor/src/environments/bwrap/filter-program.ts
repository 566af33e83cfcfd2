// A filter of system calls as the kernel takes it: the few instructions of classic BPF that the rules need, and their bytes.

/** One instruction of the filter: code, how many to skip when it holds and when not, operand. */
export type Instruction = readonly [code: number, holds: number, fails: number, operand: number];

export const LOAD = 0x20;
export const JUMP_EQUAL = 0x15;
export const JUMP_AT_LEAST = 0x35;
export const JUMP_ANY_BIT = 0x45;
const RETURN = 0x06;

/** Offsets in struct seccomp_data. For an argument that the kernel takes as an int, these are the bits that it uses. */
export const OFFSET = { number: 0, architecture: 4, firstArgument: 16, thirdArgument: 32 };

export const allow: Instruction = [RETURN, 0, 0, 0x7fff0000];
export const refuse = (errno: number): Instruction => [RETURN, 0, 0, 0x00050000 | errno];

export function assemble(program: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, holds, fails, operand]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(holds, index * 8 + 2);
    bytes.writeUInt8(fails, index * 8 + 3);
    bytes.writeUInt32LE(operand >>> 0, index * 8 + 4);
  }
  return bytes;
}
