// What well-known kinds of personal data, credentials and manipulation look like. Only forms that can be told from
// ordinary text: a check that cries wolf is switched off.

export const SEVERITIES = ["info", "low", "medium", "high", "critical"] as const;
type Severity = (typeof SEVERITIES)[number];
type SecurityCheck = "pii_exposure" | "secret_leak" | "prompt_injection";

export interface SecurityPattern {
  check: SecurityCheck;
  /** The type that `pii_types`, `secret_types` and `injection_categories` select. */
  type: string;
  severity: Severity;
  /** The expression is global, and linear in the length of the text. */
  expression: RegExp;
  /** Decides whether a match is a real one. */
  confirm?: (match: string) => boolean;
}

const pii = (type: string, severity: Severity, expression: RegExp, confirm?: (match: string) => boolean) =>
  pattern("pii_exposure", type, severity, expression, confirm);
const secret = (type: string, severity: Severity, expression: RegExp) =>
  pattern("secret_leak", type, severity, expression, isNoPlaceholder);
const injection = (type: string, severity: Severity, expression: RegExp) =>
  pattern("prompt_injection", type, severity, expression);

export const SECURITY_PATTERNS: readonly SecurityPattern[] = [
  pii("email", "medium", /(?<![\w.+-])[\w.+-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}\b/gi),
  pii(
    "phone",
    "medium",
    /(?<![\w.+-])(?:\+\d{1,3}[ .-]?)?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}(?![\w-])/g,
  ),
  pii("ssn", "critical", /(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])/g),
  pii("credit_card", "critical", /(?<![\w.-])\d(?:[ -]?\d){12,18}(?![\w-])/g, isCardNumber),
  pii(
    "api_key",
    "high",
    /\b(?:sk-(?:ant-|proj-)?[\w-]{20,200}|gh[pousr]_\w{36,255}|xox[abprs]-[\w-]{10,250}|AIza[\w-]{35})/g,
  ),
  secret("private_key", "critical", /-----BEGIN (?:[A-Z0-9]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----/g),
  secret("jwt_token", "high", /\beyJ[\w-]{10,4000}\.eyJ[\w-]{10,4000}\.[\w-]{10,4000}/g),
  secret("bearer_token", "high", /\bbearer[ \t]{1,4}[\w.~+/-]{20,4000}={0,2}/gi),
  secret(
    "basic_auth",
    "high",
    /\bbasic[ \t]{1,4}(?:[a-z0-9+/]{4}){4,200}(?:[a-z0-9+/]{2}==|[a-z0-9+/]{3}=)?(?![\w+/])/gi,
  ),
  secret("basic_auth", "high", /\bhttps?:\/\/[^\s/:@]{1,100}:[^\s/:@]{3,100}@[\w.-]{1,250}/gi),
  secret(
    "env_secret",
    "high",
    /(?<!\w)[A-Z][A-Z0-9_]{0,60}(?:SECRET|TOKEN|PASSWORD|API_KEY|PRIVATE_KEY)=(?:"[^"\n]{8,200}"|'[^'\n]{8,200}'|[^\s"']{8,200})/g,
  ),
  secret(
    "connection_string",
    "critical",
    /\b(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|redis|amqps?):\/\/[^\s/:@]{0,100}:[^\s/@]{3,200}@[\w.-]{1,250}/gi,
  ),
  secret(
    "hardcoded_secret",
    "high",
    /\b(?:password|passwd|secret|api_?key|access_?token)["']?\s{0,4}[:=]\s{0,4}["'][^"'\s]{8,200}["']/gi,
  ),
  secret("aws_credential", "critical", /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g),
  secret(
    "aws_credential",
    "critical",
    /\baws_(?:secret_access_key|session_token)["']?\s{0,4}[:=]\s{0,4}["']?[\w/+=]{40,1000}/gi,
  ),
  secret("certificate", "medium", /-----BEGIN CERTIFICATE-----/g),
  injection(
    "injection",
    "high",
    /\b(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+)?(?:of\s+)?(?:the\s+|your\s+|my\s+)?(?:previous|prior|above|earlier|preceding|system)\s+(?:instructions?|prompts?|rules|messages?)/gi,
  ),
  injection("injection", "high", /<\|(?:im_start|im_end|system|endoftext)\|>|\[\/?INST\]|<<\/?SYS>>/g),
  injection(
    "injection",
    "medium",
    /\b(?:reveal|print|show|repeat|output)\s+(?:me\s+)?(?:the\s+|your\s+)(?:system|initial|hidden)\s+(?:prompt|instructions?)/gi,
  ),
  injection("jailbreak", "high", /\b(?:you\s+are|act\s+as|become)\s+DAN\b|\bdo\s+anything\s+now\b/gi),
  injection(
    "jailbreak",
    "high",
    /\b(?:enable|enter|activate|switch\s+to)\s+(?:developer|debug|god|jailbreak)\s+mode\b/gi,
  ),
  injection(
    "role",
    "high",
    /\b(?:you\s+are\s+now|from\s+now\s+on,?\s+you\s+are|pretend\s+(?:to\s+be|you\s+are))\s+(?:an?\s+)?(?:unrestricted|unfiltered|uncensored|evil|different|new|admin|root)\b/gi,
  ),
];

function pattern(
  check: SecurityCheck,
  type: string,
  severity: Severity,
  expression: RegExp,
  confirm?: (match: string) => boolean,
): SecurityPattern {
  return { check, type, severity, expression, ...(confirm && { confirm }) };
}

/** Luhn's sum, which holds for all card numbers and for one in ten other numbers. */
function isCardNumber(match: string): boolean {
  const digits = Array.from(match.replaceAll(/\D/g, ""), Number);
  if (new Set(digits).size < 2) return false;
  const sum = digits.toReversed().reduce((total, digit, index) => {
    const doubled = index % 2 === 0 ? digit : digit * 2;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

/** False for a placeholder: `[redacted:KEY]`, `${KEY}`, `<your key>`, `********`. */
function isNoPlaceholder(match: string): boolean {
  return !/\[redacted|\$\{|<[a-z]|\*{3}|x{6}|\byour[_-]|\bexample[_-]|changeme/i.test(match);
}
