// Agents as the suites of the ATP platform write them: `{name, type: cli | http, config}`.
import { z } from "zod";
import { given } from "../core/given.ts";
import type { NewAgent } from "../core/ports/hub.ts";
import { agentParts } from "../runtime/schemas/agent-parts.ts";
import { positiveInteger } from "../runtime/yaml/scalars.ts";

const { name, command, url, env, headers, cwd } = agentParts;

export const cliForm: z.ZodType<NewAgent> = z
  .strictObject({
    name,
    type: z.literal("cli"),
    config: z.strictObject({
      command,
      args: z.array(z.string()).default([]),
      env: env.optional(),
      environment: env.optional(),
      cwd: cwd.optional(),
      working_dir: cwd.optional(),
      concurrency: positiveInteger.optional(),
    }),
  })
  .transform(({ name, config }): NewAgent => {
    const { command, args, env, environment, cwd, working_dir, concurrency } = config;
    return given({
      name,
      protocol: "atp",
      transport: "stdio",
      command: [...command, ...args],
      env: env || environment ? { ...environment, ...env } : undefined,
      cwd: cwd ?? working_dir,
      concurrency,
    });
  });

export const httpForm: z.ZodType<NewAgent> = z
  .strictObject({
    name,
    type: z.literal("http"),
    config: z
      .strictObject({
        url: url.optional(),
        endpoint: url.optional(),
        headers: headers.optional(),
        concurrency: positiveInteger.optional(),
        // On the ATP platform it opens loopback addresses; here they are open to the owner of the file anyway.
        allow_internal: z.literal(true).optional(),
      })
      .refine(
        ({ url, endpoint }) => (url === undefined) !== (endpoint === undefined),
        `give either "url" or "endpoint"`,
      ),
  })
  .transform(({ name, config: { url, endpoint, headers, concurrency } }): NewAgent => {
    const target = url ?? endpoint ?? "";
    const transport = new URL(target).protocol.slice(0, -1);
    return given({ name, protocol: "atp", transport, url: target, headers, concurrency });
  });

/** Refuses any other type, naming the two that exist. */
export const otherForm: z.ZodType<NewAgent> = z
  .looseObject({ name, type: z.enum(["cli", "http"]) })
  .transform((): NewAgent => z.NEVER);
