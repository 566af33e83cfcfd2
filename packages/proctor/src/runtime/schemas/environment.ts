// Where runs live and how terminals are used, as files and requests say it.
import { z } from "zod";
import { NETWORK_MODES, PROFILE_CHOICES, ENVIRONMENT_KINDS } from "../../core/environment.ts";
import { boundedInt, boundedText } from "./bounded.ts";

const absolute = z.string().max(4096).regex(/^\//, "must be an absolute path inside the environment");
const amount = z.number().positive().max(1e9);
const seconds = z.number().positive().max(86_400);
const variables = z.record(
  z.string().regex(/^[A-Za-z_]\w*$/, "a variable's name has letters, digits and _"),
  z.string().max(100_000),
);
const path = boundedText(4096);

export const limitsSchema = z.strictObject({
  memory_mb: amount.exactOptional().describe("Memory of everything in it."),
  processes: z.int().positive().max(1e6).exactOptional().describe("Processes at once."),
  disk_mb: amount.exactOptional().describe("What may be written."),
  cpus: z.number().positive().max(1024).exactOptional().describe("Processors."),
  output_mb: z.number().positive().max(1024).exactOptional().describe("Of the output of one command."),
});

const file = z.strictObject({
  source: path.describe("A file, or a directory whose content is taken."),
  target: absolute.describe("Where it stands inside."),
});

/** The keys of the place, for files and requests alike. Paths on this machine are not resolved here. */
export const placeShape = {
  build: path.exactOptional().describe("A directory whose Dockerfile is built."),
  image: boundedText(500).exactOptional().describe("A container image."),
  root: path.exactOptional().describe("A directory that is the root of the file system."),
  profile: z
    .enum(PROFILE_CHOICES)
    .exactOptional()
    .describe("strict: one user. multi-user: useradd, chown and su work. auto: multi-user where possible."),
  workdir: absolute
    .exactOptional()
    .describe("Where commands start; /app unless a Dockerfile says otherwise."),
  user: boundedText(200).exactOptional().describe("Whose commands they are."),
  env: variables.exactOptional().describe("Variables of every process in it. No secrets."),
  network: z.enum(NETWORK_MODES).exactOptional().describe("What it may reach; none unless said."),
  allow_hosts: z
    .array(boundedText(300))
    .max(200)
    .exactOptional()
    .describe("For allow-list: host, host:port, *.host."),
  limits: limitsSchema.exactOptional().describe("Limits of everything in it."),
  files: z.array(file).max(1000).exactOptional().describe("Copied in before anything runs."),
  snapshots: z
    .enum(["each", "auto", "last", "off"])
    .exactOptional()
    .describe("When the state of the files is kept."),
  toolchain: z
    .boolean()
    .exactOptional()
    .describe("apt-get, pip and uv install what the machine has already, without a network."),
  build_timeout_seconds: seconds.exactOptional().describe("How long a build may take; 600 unless said."),
};

export const workShape = {
  max_steps: z.int().positive().max(1e6).exactOptional().describe("Steps of the agent; 100 unless said."),
  agent_response_seconds: seconds
    .exactOptional()
    .describe("How long it may think about one step; 300 unless said."),
  command_seconds: seconds.exactOptional().describe("How long one command may take; 120 unless said."),
  shell: z
    .enum(["persistent", "fresh"])
    .exactOptional()
    .describe("One shell for all commands, or one for each."),
  noop_limit: z
    .int()
    .positive()
    .max(1e6)
    .exactOptional()
    .describe("Answers in a row that ask for nothing; 3 unless said."),
  lenient: z.boolean().exactOptional().describe("Takes JSON out of lines with other text in them."),
  confirm_completion: z
    .boolean()
    .exactOptional()
    .describe("The agent is asked once more whether it is done."),
  output_limit: boundedInt(100, 10_000_000)
    .exactOptional()
    .describe("Bytes of output that the agent sees; 10,000 unless said."),
};

export const environmentSchema = z.strictObject({
  kind: z.enum(ENVIRONMENT_KINDS).exactOptional().describe("The strongest that the hub has unless said."),
  ...placeShape,
  from: z
    .strictObject({ run_id: boundedText(200), step: z.int().min(0).exactOptional() })
    .exactOptional()
    .describe("Begins with the files as they were after a step of another run."),
});

export const terminalSchema = z.strictObject({
  ...workShape,
  script: z
    .array(z.string().max(100_000))
    .max(1000)
    .exactOptional()
    .describe("What the agent term+builtin:oracle types."),
});

export const llmSchema = z.strictObject({
  enabled: z.boolean().exactOptional().describe("Terminal agents have a model unless this is false."),
  model: boundedText(200).exactOptional().describe("The hub's own unless said."),
  budget_usd: z.number().min(0).exactOptional().describe("Refused when spent."),
});
