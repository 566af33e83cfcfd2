/** The note of a kind of environment that cannot put the system's own files back. */
export const SYSTEM_AS_LEFT =
  "the tests use the system's programs as the agent left them: only the environment bwrap can restore them";
