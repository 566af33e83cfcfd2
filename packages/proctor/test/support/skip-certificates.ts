// Certificates that a machine adds to Node's own are read at every start of Node, which takes twice as long as the rest of the start. Tests
// start it hundreds of times and speak to nobody but this machine.

/** Called by vitest before the first file; workers inherit the environment. */
export function setup(): void {
  delete process.env["NODE_EXTRA_CA_CERTS"];
}
