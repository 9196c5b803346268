/**
 * The schema of a policy file: Zod for parsing it, and from that the JSON Schema with which editors complete and check it.
 */
import * as z from 'zod'
import type { JsonObject } from '../../protocol/json.ts'
import { condition, rejectDuplicates, toolPattern, withDescription } from './operator-schema.ts'

export type Policy = z.output<ReturnType<typeof build>>
export type PolicyPrincipal = Policy['principals'][number]
export type JwtPolicy = NonNullable<Policy['jwt']>

const ASYMMETRIC = ['EdDSA', 'Ed25519', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512']
const SYMMETRIC = ['HS256', 'HS384', 'HS512']
const KEY_SOURCES = ['jwks_url', 'jwks', 'public_key', 'secret_env'] as const

let made: ReturnType<typeof build> | undefined

/** Created on first use: a server without a policy file does not pay for it. */
export function policySchema(): ReturnType<typeof build> {
  made ??= build()
  return made
}

/** Draft-07, which editors support. */
export const policyJsonSchema = (): JsonObject =>
  z.toJSONSchema(policySchema(), { target: 'draft-7', io: 'input' }) as unknown as JsonObject

function build() {
  const pattern = toolPattern()
  const limit = (description: string) =>
    withDescription(
      z.strictObject({
        calls: withDescription(z.int().min(1), 'How many calls may come at once, and within per_ms on average.'),
        per_ms: withDescription(z.int().min(1), 'Over how many milliseconds these calls are given back, evenly.'),
      }),
      description,
    )
  const policy = z.strictObject({
    $schema: withDescription(z.string().optional(), 'Where the JSON Schema of this file is, for editors.'),
    approvals: withDescription(
      z.array(approvalRule(pattern)).default([]),
      'When a human must approve a call. Of several rules, one that asks wins over any that allows.',
    ),
    limits: withDescription(
      z
        .strictObject({
          all: limit('Over all calls of this server together.').optional(),
          principal: limit('For each caller on its own, over all tools.').optional(),
          tools: withDescription(
            z.record(pattern, limit('For each tool of this name on its own, over all callers.')).optional(),
            'By tool. Of several that fit, the most exact one holds. It stands above what the tool itself says.',
          ),
        })
        .default({}),
      'How many calls may come. What is too much is refused with ApiLimitExceeded and a time to wait.',
    ),
    breaker: withDescription(
      z
        .strictObject({
          failures: withDescription(
            z.int().min(1).optional(),
            'After how many failures in a row a tool is left alone; 5 if not said.',
          ),
          open_ms: withDescription(
            z.int().min(1).optional(),
            'For how many milliseconds it is left alone; 30000 if not said.',
          ),
        })
        .optional(),
      'When a tool that keeps failing is left alone for a while.',
    ),
    principals: withDescription(
      z.array(principal(pattern)).default([]),
      'Who may call over HTTP with a bearer token of their own.',
    ),
    jwt: jwt().optional(),
    audit: withDescription(
      z
        .strictObject({
          keep_days: withDescription(
            z.int().min(1).optional(),
            'For how many days audit lines are kept; for ever if not said.',
          ),
        })
        .optional(),
      'How the audit is kept.',
    ),
  })
  return policy
    .superRefine(({ approvals, principals }, ctx) => {
      rejectDuplicates(approvals, 'name', ['approvals'], ctx)
      rejectDuplicates(principals, 'token_sha256', ['principals'], ctx)
    })
    .meta({
      title: 'Myrmex policy',
      description:
        'What the operator of a Myrmex server decides: who may call what, how often, and when a human is asked.',
    })
}

function approvalRule(pattern: z.ZodString) {
  return z
    .strictObject({
      name: withDescription(
        z.string().trim().min(1).max(200),
        'What the rule is called where a human is asked, and in the audit.',
      ),
      tools: withDescription(z.array(pattern).min(1), 'Which tools it is about.'),
      when: withDescription(
        z.array(condition()).optional(),
        'When it asks: all of these must hold. Without it, it always asks.',
      ),
      otherwise: withDescription(
        z.enum(['allow', 'default']).default('default'),
        'Where it does not ask: allow lets the call through without approval; default leaves it to the tool, whose calls ' +
          'wait for a human if it changes state.',
      ),
    })
    .refine(({ when, otherwise }) => otherwise !== 'allow' || (when !== undefined && when.length > 0), {
      path: ['otherwise'],
      error: 'never comes to pass: a rule without conditions always asks. Say when it asks, or leave otherwise out',
    })
    .meta({
      description:
        'A human must approve calls of these tools when its conditions hold, whatever standing grants there are and even ' +
        'if the tool changes nothing.',
    })
}

function principal(pattern: z.ZodString) {
  return z
    .strictObject({
      id: withDescription(
        z
          .string()
          .regex(/^[A-Za-z0-9][A-Za-z0-9._@-]{0,99}$/, { error: 'must be letters, digits and . _ @ -, at most 100' })
          .refine((id) => id !== 'local', { error: 'is what callers on this machine are called; choose another' }),
        'Who it is, as the audit, approvals and limits know it.',
      ),
      token_sha256: withDescription(
        z.string().regex(/^[0-9a-fA-F]{64}$/, { error: 'must be the SHA-256 of the token in 64 hexadecimal digits' }),
        'SHA-256 of the bearer token, in hexadecimal. The token itself is never written here.',
      ),
      scopes: withDescription(z.array(pattern), 'Which tools it may call. An empty list allows none, ["*"] all.'),
    })
    .meta({ description: 'A caller, its token and what it may call.' })
}

function jwt() {
  return z
    .strictObject({
      issuer: withDescription(z.string().min(1), 'The iss claim every token must have.'),
      audience: withDescription(z.string().min(1), 'The aud claim every token must have; best the URL of this server.'),
      jwks_url: withDescription(
        z.url().refine(isSafeUrl, { error: 'must be https, or http on this machine' }).optional(),
        'Where the issuer publishes its keys (JWKS): https, or http on this machine.',
      ),
      jwks: withDescription(
        z
          .looseObject({
            keys: withDescription(
              z
                .array(
                  z
                    .looseObject({ kty: withDescription(z.string(), 'What kind of key it is.') })
                    .refine(isPublic, { error: 'must be a public key' }),
                )
                .min(1),
              'Its keys.',
            ),
          })
          .optional(),
        "The issuer's public keys (JWKS), written out.",
      ),
      public_key: withDescription(
        z
          .string()
          .regex(/^\s*-----BEGIN (PUBLIC KEY|CERTIFICATE)-----/, {
            error: 'must be a public key or certificate in PEM',
          })
          .optional(),
        "The issuer's one public key, or its certificate, in PEM.",
      ),
      secret_env: withDescription(
        z
          .string()
          .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
          .optional(),
        'Name of the environment variable with the secret shared with the issuer, of at least 32 bytes. For HS256, HS384 ' +
          'and HS512 only.',
      ),
      algorithms: withDescription(
        z.array(z.enum([...ASYMMETRIC, ...SYMMETRIC])).min(1),
        'The signatures that are accepted. No other is, whatever a token says of itself.',
      ),
      scope_claim: withDescription(
        z.string().min(1).default('scope'),
        'The claim that lists the scopes: a text with spaces between them, or a list.',
      ),
      scope_prefix: withDescription(
        z.string().default(''),
        'What scopes for this server start with; it is cut off, and scopes without it are ignored.',
      ),
    })
    .superRefine((given, ctx) => {
      const sources = KEY_SOURCES.filter((name) => given[name] !== undefined)
      if (sources.length !== 1) {
        const found = sources.length === 0 ? 'there is none' : `there are ${sources.join(' and ')}`
        ctx.addIssue({ code: 'custom', message: `must have exactly one of ${KEY_SOURCES.join(', ')}; ${found}` })
      }
      const [fitting, others] =
        given.secret_env === undefined ? [ASYMMETRIC, 'secret_env'] : [SYMMETRIC, 'a public key']
      for (const [index, name] of given.algorithms.entries()) {
        if (fitting.includes(name)) continue
        ctx.addIssue({ code: 'custom', path: ['algorithms', index], message: `needs ${others}` })
      }
    })
    .meta({
      description: 'Callers who bring a JSON Web Token of an issuer you trust.',
      oneOf: KEY_SOURCES.map((name) => ({ required: [name] })),
    })
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

function isSafeUrl(text: string): boolean {
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))
}

const isPublic = (key: { kty: string }): boolean => key.kty !== 'oct' && !('d' in key)
