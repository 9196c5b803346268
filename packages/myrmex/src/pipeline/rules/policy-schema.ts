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
        calls: withDescription(z.int().min(1), 'Calls allowed at once, and on average within per_ms.'),
        per_ms: withDescription(
          z.int().min(1),
          'Milliseconds in which that many calls become available again, evenly.',
        ),
      }),
      description,
    )
  const policy = z.strictObject({
    $schema: withDescription(z.string().optional(), 'Location of the JSON Schema of this file, for editors.'),
    approvals: withDescription(
      z.array(approvalRule(pattern)).default([]),
      'When a human must approve a call. A rule that asks wins over rules that allow.',
    ),
    limits: withDescription(
      z
        .strictObject({
          all: limit('Over all calls of this server together.').optional(),
          principal: limit('For each caller on its own, over all tools.').optional(),
          tools: withDescription(
            z.record(pattern, limit('For each tool of this name on its own, over all callers.')).optional(),
            'By tool. The most exact pattern counts, and replaces the limit of the tool itself.',
          ),
        })
        .default({}),
      'How many calls may come. Further calls are refused with ApiLimitExceeded and a time to wait.',
    ),
    breaker: withDescription(
      z
        .strictObject({
          failures: withDescription(z.int().min(1).optional(), 'Failures in a row that open the breaker; default 5.'),
          open_ms: withDescription(
            z.int().min(1).optional(),
            'Milliseconds until a call is tried again; default 30000.',
          ),
        })
        .optional(),
      'The circuit breaker: calls of a tool that keeps failing are paused.',
    ),
    principals: withDescription(
      z.array(principal(pattern)).default([]),
      'Who may call over HTTP with their own bearer token.',
    ),
    jwt: jwt().optional(),
    audit: withDescription(
      z
        .strictObject({
          keep_days: withDescription(z.int().min(1).optional(), 'Days to keep audit records; default: forever.'),
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
      description: 'The rules of the operator: who may call what, how often, and when a human is asked.',
    })
}

function approvalRule(pattern: z.ZodString) {
  return z
    .strictObject({
      name: withDescription(
        z.string().trim().min(1).max(200),
        'The name of the rule, shown in approvals and in the audit.',
      ),
      tools: withDescription(z.array(pattern).min(1), 'The tools that the rule applies to.'),
      when: withDescription(
        z.array(condition()).optional(),
        'The rule asks if all of these hold; without conditions always.',
      ),
      otherwise: withDescription(
        z.enum(['allow', 'default']).default('default'),
        'If the rule does not ask: allow lets the call through; default asks only if the tool changes state.',
      ),
    })
    .refine(({ when, otherwise }) => otherwise !== 'allow' || (when !== undefined && when.length > 0), {
      path: ['otherwise'],
      error: 'has no effect: a rule without conditions always asks. Add conditions, or remove otherwise',
    })
    .meta({
      description:
        'A human must approve calls of these tools if the conditions hold, despite any grant and even if the tool is safe.',
    })
}

function principal(pattern: z.ZodString) {
  return z
    .strictObject({
      id: withDescription(
        z
          .string()
          .regex(/^[A-Za-z0-9][A-Za-z0-9._@-]{0,99}$/, { error: 'must be letters, digits and . _ @ -, at most 100' })
          .refine((id) => id !== 'local', { error: 'is reserved for callers on this machine; choose another' }),
        'The id of the caller in the audit, approvals and limits.',
      ),
      token_sha256: withDescription(
        z.string().regex(/^[0-9a-fA-F]{64}$/, { error: 'must be the SHA-256 of the token in 64 hexadecimal digits' }),
        'SHA-256 of the bearer token, in hexadecimal. Never write the token itself here.',
      ),
      scopes: withDescription(z.array(pattern), 'The tools it may call. An empty list allows none, ["*"] all.'),
    })
    .meta({ description: 'A caller, its token and what it may call.' })
}

function jwt() {
  return z
    .strictObject({
      issuer: withDescription(z.string().min(1), 'The iss claim that every token must have.'),
      audience: withDescription(
        z.string().min(1),
        'The aud claim that every token must have; preferably the URL of this server.',
      ),
      jwks_url: withDescription(
        z.url().refine(isSafeUrl, { error: 'must be https, or http on this machine' }).optional(),
        'URL of the keys of the issuer (JWKS): https, or http on this machine.',
      ),
      jwks: withDescription(
        z
          .looseObject({
            keys: withDescription(
              z
                .array(
                  z
                    .looseObject({ kty: withDescription(z.string(), 'The type of the key.') })
                    .refine(isPublic, { error: 'must be a public key' }),
                )
                .min(1),
              'The keys.',
            ),
          })
          .optional(),
        'The public keys of the issuer (JWKS).',
      ),
      public_key: withDescription(
        z
          .string()
          .regex(/^\s*-----BEGIN (PUBLIC KEY|CERTIFICATE)-----/, {
            error: 'must be a public key or certificate in PEM',
          })
          .optional(),
        'The only public key of the issuer, or its certificate, in PEM.',
      ),
      secret_env: withDescription(
        z
          .string()
          .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
          .optional(),
        'Environment variable with the secret shared with the issuer: at least 32 bytes, for HS256, HS384 and HS512.',
      ),
      algorithms: withDescription(
        z.array(z.enum([...ASYMMETRIC, ...SYMMETRIC])).min(1),
        'The accepted signature algorithms. A token with another one is rejected.',
      ),
      scope_claim: withDescription(
        z.string().min(1).default('scope'),
        'The claim that lists the scopes: a text separated by spaces, or a list.',
      ),
      scope_prefix: withDescription(
        z.string().default(''),
        'The prefix of scopes for this server. It is removed; scopes without it are ignored.',
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
      description: 'Callers with a JSON Web Token of an issuer that you trust.',
      oneOf: KEY_SOURCES.map((name) => ({ required: [name] })),
    })
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

function isSafeUrl(text: string): boolean {
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))
}

const isPublic = (key: { kty: string }): boolean => key.kty !== 'oct' && !('d' in key)
