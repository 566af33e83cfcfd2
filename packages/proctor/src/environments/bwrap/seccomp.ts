// Calls that no program of an environment needs and that open the kernel, other users' keys or new namespaces to it, as a filter that
// bubblewrap loads. They are refused as if the capability for them were missing. socket-rules.ts says which sockets there are.
import {
  allow,
  assemble,
  JUMP_ANY_BIT,
  JUMP_AT_LEAST,
  JUMP_EQUAL,
  LOAD,
  OFFSET,
  refuse,
  type Instruction,
} from "./filter-program.ts";
import { socketRules, type SocketCalls } from "./socket-rules.ts";

type Architecture = "x64" | "ia32" | "arm64";

/** Architectures as <linux/audit.h> numbers them. */
const AUDIT: Record<Architecture, number> = { x64: 0xc000003e, ia32: 0x40000003, arm64: 0xc00000b7 };
/** The bit that marks system calls of the x32 ABI on x64. */
const X32 = 0x40000000;
const CLONE_NEWUSER = 0x10000000;
const EPERM = 1;
const ENOSYS = 38;

/** Numbers that are the same on every architecture. */
const COMMON = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  mount_setattr: 442,
};

const REFUSED: Record<Architecture, Record<string, number>> = {
  x64: {
    syslog: 103,
    pivot_root: 155,
    acct: 163,
    mount: 165,
    umount2: 166,
    swapon: 167,
    swapoff: 168,
    reboot: 169,
    iopl: 172,
    ioperm: 173,
    init_module: 175,
    delete_module: 176,
    quotactl: 179,
    kexec_load: 246,
    add_key: 248,
    request_key: 249,
    keyctl: 250,
    perf_event_open: 298,
    name_to_handle_at: 303,
    open_by_handle_at: 304,
    setns: 308,
    finit_module: 313,
    kexec_file_load: 320,
    bpf: 321,
    userfaultfd: 323,
    ...COMMON,
  },
  ia32: {
    mount: 21,
    umount: 22,
    acct: 51,
    umount2: 52,
    swapon: 87,
    reboot: 88,
    ioperm: 101,
    syslog: 103,
    iopl: 110,
    swapoff: 115,
    init_module: 128,
    delete_module: 129,
    quotactl: 131,
    pivot_root: 217,
    kexec_load: 283,
    add_key: 286,
    request_key: 287,
    keyctl: 288,
    perf_event_open: 336,
    name_to_handle_at: 341,
    open_by_handle_at: 342,
    setns: 346,
    finit_module: 350,
    bpf: 357,
    userfaultfd: 374,
    ...COMMON,
  },
  arm64: {
    umount2: 39,
    mount: 40,
    pivot_root: 41,
    quotactl: 60,
    acct: 89,
    kexec_load: 104,
    init_module: 105,
    delete_module: 106,
    syslog: 116,
    reboot: 142,
    add_key: 217,
    request_key: 218,
    keyctl: 219,
    swapon: 224,
    swapoff: 225,
    perf_event_open: 241,
    name_to_handle_at: 264,
    open_by_handle_at: 265,
    setns: 268,
    finit_module: 273,
    bpf: 280,
    userfaultfd: 282,
    kexec_file_load: 294,
    ...COMMON,
  },
};

/** Calls that create namespaces. New user namespaces are refused by their flag; `clone3`, which hides its flags, is refused altogether. */
const CREATES: Record<Architecture, { clone: number; unshare: number; clone3: number }> = {
  x64: { clone: 56, unshare: 272, clone3: 435 },
  ia32: { clone: 120, unshare: 310, clone3: 435 },
  arm64: { clone: 220, unshare: 97, clone3: 435 },
};

const SOCKETS: Record<Architecture, SocketCalls> = {
  x64: { socket: 41, socketpair: 53 },
  ia32: { socket: 359, socketpair: 360, socketcall: 102 },
  arm64: { socket: 198, socketpair: 199 },
};

/** Returns undefined for an architecture whose numbers are not known. Calls of architectures without a section are refused. */
export function seccompFilter(arch: string): Uint8Array | undefined {
  if (arch === "x64") return assemble([...section("x64"), ...section("ia32"), refuse(ENOSYS)]);
  if (arch === "arm64") return assemble([...section("arm64"), refuse(ENOSYS)]);
  return undefined;
}

/** Returns the instructions for calls of one architecture; calls of others continue behind them. */
function section(arch: Architecture): Instruction[] {
  const { clone, unshare, clone3 } = CREATES[arch];
  const numbers = Object.values(REFUSED[arch]);
  const rules: Instruction[] = [
    [LOAD, 0, 0, OFFSET.number],
    ...(arch === "x64" ? ([[JUMP_AT_LEAST, 0, 1, X32], refuse(ENOSYS)] satisfies Instruction[]) : []),
    [JUMP_EQUAL, 0, 1, clone3],
    refuse(ENOSYS),
    ...numbers.flatMap((number): Instruction[] => [[JUMP_EQUAL, 0, 1, number], refuse(EPERM)]),
    ...socketRules(SOCKETS[arch]),
    [JUMP_EQUAL, 1, 0, clone],
    [JUMP_EQUAL, 0, 3, unshare],
    [LOAD, 0, 0, OFFSET.firstArgument],
    [JUMP_ANY_BIT, 0, 1, CLONE_NEWUSER],
    refuse(EPERM),
    allow,
  ];
  return [[LOAD, 0, 0, OFFSET.architecture], [JUMP_EQUAL, 0, rules.length, AUDIT[arch]], ...rules];
}
