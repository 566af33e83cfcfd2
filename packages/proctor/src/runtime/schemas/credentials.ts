// Credentials for a server elsewhere, as files and options write them. The names under which secrets stand are ones that core/option-secrets.ts
// knows.
import { z } from "zod";
import { addError } from "../yaml/findings.ts";

const text = z.string().min(1);
/** A name that HTTP allows for a header or a cookie. */
const token = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/, "must be a name that HTTP allows");

const bearer = z.strictObject({ type: z.literal("bearer"), token: text });
const apiKey = z
  .strictObject({
    type: z.literal("api_key"),
    api_key: text,
    name: text,
    in: z.enum(["header", "query", "cookie"]).default("header"),
  })
  .superRefine(({ name, in: place }, context) => {
    if (place !== "query" && !token.safeParse(name).success) {
      addError(context, new Error(`"name" must be a name that HTTP allows for a ${place}`), ["name"]);
    }
  });
const basic = z.strictObject({
  type: z.literal("basic"),
  username: z.string().regex(/^[^:]*$/, "a user name for basic authentication has no colon"),
  password: z.string(),
});
const oauth2 = z.strictObject({
  type: z.literal("oauth2"),
  /** Where tokens are requested: configured here, never taken from a card. */
  token_url: z.url({ protocol: /^https?$/ }),
  client_id: text,
  client_secret: text,
  scopes: z.array(text).default([]),
  audience: text.exactOptional(),
  /** Part of the request for a token that holds the client's id and secret. */
  credentials_in: z.enum(["header", "body"]).default("header"),
});

export const authOptions = z.discriminatedUnion("type", [bearer, apiKey, basic, oauth2]);
export type AuthOptions = z.infer<typeof authOptions>;
export type OAuthOptions = z.infer<typeof oauth2>;

const pem = z.string().regex(/-----BEGIN [A-Z ]+-----/, "must be PEM, which has a line -----BEGIN …-----");

export const tlsOptions = z
  .strictObject({
    /** Certificates to trust instead of the well-known ones. */
    ca: pem.exactOptional(),
    /** The client certificate, for servers that ask for one. */
    cert: pem.exactOptional(),
    private_key: pem.exactOptional(),
  })
  .superRefine(({ cert, private_key }, context) => {
    if ((cert === undefined) === (private_key === undefined)) return;
    const [lacks, has] = cert === undefined ? ["cert", "private_key"] : ["private_key", "cert"];
    addError(context, new Error(`"${has}" needs "${lacks}" beside it`), [has ?? ""]);
  });
export type TlsOptions = z.infer<typeof tlsOptions>;
