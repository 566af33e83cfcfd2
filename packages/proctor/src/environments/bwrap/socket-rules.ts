// Which sockets programs of an environment can make. Name spaces hold UNIX, INET and INET6; VSOCK, for one, leads past them to the host of
// a virtual machine, and other families only open more of the kernel. The refusal is what a kernel without that family says.
import { allow, JUMP_EQUAL, LOAD, OFFSET, refuse, type Instruction } from "./filter-program.ts";

const FAMILY = { unix: 1, inet: 2, inet6: 10, netlink: 16 };
const NETLINK_ROUTE = 0;
const EAFNOSUPPORT = 97;
/** Operations of `socketcall`, whose other arguments are in memory, where a filter cannot look. */
const SOCKETCALL = { socket: 1, socketpair: 8 };

export interface SocketCalls {
  socket: number;
  socketpair: number;
  /** The number of `socketcall`, which only 32-bit x86 has. */
  socketcall?: number;
}

/** Returns instructions that expect the number of the call to be loaded; other calls continue behind them. */
export function socketRules({ socket, socketpair, socketcall }: SocketCalls): Instruction[] {
  const families: Instruction[] = [
    [LOAD, 0, 0, OFFSET.firstArgument],
    [JUMP_EQUAL, 6, 0, FAMILY.unix],
    [JUMP_EQUAL, 5, 0, FAMILY.inet],
    [JUMP_EQUAL, 4, 0, FAMILY.inet6],
    [JUMP_EQUAL, 0, 2, FAMILY.netlink],
    [LOAD, 0, 0, OFFSET.thirdArgument],
    [JUMP_EQUAL, 1, 0, NETLINK_ROUTE],
    refuse(EAFNOSUPPORT),
    allow,
  ];
  return [
    [JUMP_EQUAL, 1, 0, socket],
    [JUMP_EQUAL, 0, families.length, socketpair],
    ...families,
    ...(socketcall === undefined ? [] : indirectRules(socketcall)),
  ];
}

function indirectRules(socketcall: number): Instruction[] {
  return [
    [JUMP_EQUAL, 0, 5, socketcall],
    [LOAD, 0, 0, OFFSET.firstArgument],
    [JUMP_EQUAL, 1, 0, SOCKETCALL.socket],
    [JUMP_EQUAL, 0, 1, SOCKETCALL.socketpair],
    refuse(EAFNOSUPPORT),
    allow,
  ];
}
