// Agents as clients write and read them. The types are core's; these schemas check documents against them.
import { z } from "zod";
import { AGENT_NAME } from "../../core/agent.ts";
import { ENVIRONMENT_KINDS } from "../../core/environment.ts";
import { boundedInt, boundedText } from "../../runtime/schemas/bounded.ts";
import { labelsSchema } from "../../runtime/schemas/labels.ts";
import { agentProfile } from "../../runtime/schemas/agent-profile.ts";
import { JsonRecord, listOf, StringRecord, Timestamp } from "./common.ts";

const place = {
  protocol: boundedText(64).describe("`atp`, `a2a`, `term`, …"),
  transport: boundedText(64).describe("`stdio`, `http`, `ws`, `grpc`, …"),
  command: z.array(z.string()).min(1).optional().describe("For transports that start a program."),
  url: boundedText(8192).optional().describe("For transports that connect."),
};

const settings = {
  env: StringRecord.optional().describe("Values are secrets; read back as `***`."),
  headers: StringRecord.optional().describe("Values are secrets; read back as `***`."),
  environment: boundedText(64)
    .meta({ enum: ENVIRONMENT_KINDS })
    .optional()
    .describe("Where a program lives: `local`, `bwrap`, `container`."),
  cwd: boundedText(4096).optional().describe("Directory in which the program is started."),
  client_env: z
    .array(boundedText(256))
    .max(100)
    .optional()
    .describe("Variables that clients may set for the program, though they could make it load code."),
  options: JsonRecord.optional().describe(
    "What only its protocol understands and checks: how requests are written, where the answer is. Shown as it is; secrets belong in `headers`.",
  ),
  concurrency: boundedInt(1, 10_000).optional().describe("How many runs it takes at once."),
  requires: labelsSchema.optional().describe("Labels that a worker must have to carry out its runs."),
};

export const AgentName = z
  .string()
  .regex(AGENT_NAME, "1 to 128 letters, digits, `.`, `_` or `-`, the first a letter or digit");
const address = boundedText(8192)
  .meta({ pattern: "^[A-Za-z][A-Za-z0-9-]*\\+(stdio|https?|wss?|grpcs?|file|builtin):" })
  .describe("In short notation: `atp+stdio:python agent.py`.");

export const AgentSpecBody = z
  .strictObject({ ...place, ...settings })
  .meta({ id: "AgentSpec", description: "The long form of an agent's address." });

const AgentByAddress = z
  .strictObject({ address, ...settings, ...agentProfile })
  .meta({ id: "AgentByAddress", description: "An agent in short notation." });

/** An agent without its name, which is in the path. */
export const AgentBody = z.union([
  AgentSpecBody.extend(agentProfile).meta({ id: "RegisteredSpec" }),
  AgentByAddress,
]);

export const NewAgentBody = z
  .union([
    AgentSpecBody.extend({ name: AgentName, ...agentProfile }).meta({ id: "NewAgentSpec" }),
    AgentByAddress.extend({ name: AgentName }).meta({ id: "NewAgentByAddress" }),
  ])
  .meta({ id: "NewAgent", description: "A name, and an address or its long form." });

export const AgentDocument = z
  .strictObject({ name: AgentName, address, created_at: Timestamp, ...place, ...settings, ...agentProfile })
  .meta({
    id: "Agent",
    examples: [
      {
        name: "writer",
        address: "atp+stdio:python writer.py",
        protocol: "atp",
        transport: "stdio",
        command: ["python", "writer.py"],
        capabilities: [{ name: "write", description: "Writes a report." }],
        created_at: "2026-11-15T22:20:00.000Z",
      },
    ],
  });

export const AgentList = listOf("AgentList", AgentDocument);
