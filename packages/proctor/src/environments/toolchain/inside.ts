// Where the toolchain is seen inside an environment, and the names that its programs and their callers agree on.

/** Directory of the toolchain inside environments. */
export const INSIDE = "/run/proctor/toolchain";
/** The prefix of the directories that hold interpreters and packages of this machine. */
export const INSIDE_PYTHONS = "/run/proctor/python";
/** Directory of programs that come before those of the root in PATH. */
export const INSIDE_BIN = `${INSIDE}/bin`;
/** Set in builds: what is installed must last longer than the mount, so it is copied and never linked. */
export const BUILD_VARIABLE = "PROCTOR_BUILD";
/** Variable with the descriptor on which programs report notes and what is missing, one JSON object per line. */
export const REPORT_VARIABLE = "PROCTOR_REPORT_FD";
export const REPORT_FD = 9;
/** Set where a network can be reached: what this machine does not have is left to the real programs. */
export const NETWORK_VARIABLE = "PROCTOR_NETWORK";
