/** The schema of a policy file: Zod for parsing it, and from that the JSON Schema with which editors complete and check it. */

import * as z from 'zod'
import { isSafeUrl } from '../../protocol/loopback.ts'
import { approvalConfig } from './approval-settings.ts'
import {
  condition,
  describedObject,
  lazySchema,
  rejectDuplicates,
  toolPattern,
  withDescription,
} from './operator-schema.ts'

export type Policy = z.output<ReturnType<typeof build>>
export type PolicyPrincipal = Policy['principals'][number]
export type JwtPolicy = NonNullable<Policy['jwt']>

const ASYMMETRIC = ['EdDSA', 'Ed25519', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512']
const SYMMETRIC = ['HS256', 'HS384', 'HS512']
const KEY_SOURCES = ['jwks_url', 'jwks', 'public_key', 'secret_env'] as const

export const { schema: policySchema, jsonSchema: policyJsonSchema } = lazySchema(build)

function build() {
  const pattern = toolPattern()
  const policy = describedObject(
    {
      $schema: z.string().optional(),
      approvals: z.array(approvalRule(pattern)).default([]),
      waiting: approvalConfig().optional(),
      limits: limits(pattern).default({}),
      breaker: breaker().optional(),
      principals: z.array(principal(pattern)).default([]),
      jwt: jwt(pattern).optional(),
      audit: audit().optional(),
    },
    {
      $schema: 'Location of the JSON Schema of this file, for editors.',
      approvals: 'When a human must approve a call. A rule that asks wins over rules that allow.',
      waiting: 'What happens to a call that waits for approval, and to one that was denied.',
      limits: 'How many calls may come. Further calls are refused with ApiLimitExceeded and a time to wait.',
      breaker: 'The circuit breaker: calls of a tool that keeps failing are paused.',
      principals: 'Who may call over HTTP with their own bearer token.',
      jwt: 'Callers with a JSON Web Token of an issuer that you trust.',
      audit: 'How the audit is kept.',
    },
  )
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

function limits(pattern: z.ZodString) {
  const limit = describedObject(
    { calls: z.int().min(1), per_ms: z.int().min(1) },
    {
      calls: 'Calls allowed at once, and on average within per_ms.',
      per_ms: 'Milliseconds in which that many calls become available again, evenly.',
    },
  )
  const eachTool = withDescription(limit, 'For each tool of this name on its own, over all callers.')
  return describedObject(
    { all: limit.optional(), principal: limit.optional(), tools: z.record(pattern, eachTool).optional() },
    {
      all: 'Over all calls of this server together.',
      principal: 'For each caller on its own, over all tools.',
      tools: 'By tool. The most exact pattern counts, and replaces the limit of the tool itself.',
    },
  )
}

const breaker = () =>
  describedObject(
    { failures: z.int().min(1).optional(), open_ms: z.int().min(1).optional() },
    {
      failures: 'Failures in a row that open the breaker; default 5.',
      open_ms: 'Milliseconds until a call is tried again; default 30000.',
    },
  )

const audit = () =>
  describedObject(
    {
      keep_days: z.int().min(1).optional(),
      durability: z.enum(['process', 'power']).optional(),
      anchors: z.array(anchorPlace()).optional(),
      anchor_seconds: z.int().min(1).max(86_400).optional(),
    },
    {
      keep_days: 'Days to keep audit records; default: forever.',
      durability: 'What a recorded call survives: process (default): kill -9; power: a loss of power too.',
      anchors:
        'Places that get signed heads of the journal, so that rewriting it shows even against somebody with the key.',
      anchor_seconds: 'Seconds between two anchors; default: 60.',
    },
  )

const anchorPlace = () =>
  z.union(
    [
      describedObject(
        { file: z.string().min(1) },
        { file: 'A file, on another disk or machine, that anchors are appended to.' },
      ),
      describedObject(
        { command: z.array(z.string().min(1)).min(1) },
        { command: 'A program and its arguments. It gets the anchor on standard input, and must exit with 0.' },
      ),
      describedObject(
        { url: z.url({ protocol: /^https?$/ }), token_env: z.string().min(1).optional() },
        {
          url: 'An address that the anchor is posted to as JSON.',
          token_env: 'The environment variable that has the bearer token for it.',
        },
      ),
    ],
    { error: 'expected exactly one of file, command and url' },
  )

function approvalRule(pattern: z.ZodString) {
  return describedObject(
    {
      name: z.string().trim().min(1).max(200),
      tools: z.array(pattern).min(1),
      when: z.array(condition()).optional(),
      otherwise: z.enum(['allow', 'default']).default('default'),
    },
    {
      name: 'The name of the rule, shown in approvals and in the audit.',
      tools: 'The tools that the rule applies to.',
      when: 'The rule asks if all of these hold; without conditions always.',
      otherwise: 'If the rule does not ask: allow lets the call through; default asks only if the tool changes state.',
    },
  )
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
  const caller = describedObject(
    {
      id: z
        .string()
        .regex(/^[A-Za-z0-9][A-Za-z0-9._@-]{0,99}$/, { error: 'must be letters, digits and . _ @ -, at most 100' })
        .refine((id) => id !== 'local', { error: 'is reserved for callers on this machine; choose another' }),
      token_sha256: z
        .string()
        .regex(/^[0-9a-fA-F]{64}$/, { error: 'must be the SHA-256 of the token in 64 hexadecimal digits' })
        .toLowerCase(),
      scopes: z.array(pattern),
      profile: z.string().min(1).max(100).optional(),
    },
    {
      id: 'The id of the caller in the audit, approvals and limits.',
      token_sha256: 'SHA-256 of the bearer token, in hexadecimal. Never write the token itself here.',
      scopes: 'The tools it may call. An empty list allows none, ["*"] all.',
      profile: 'The profile of myrmex.json that it is limited to, wherever it connects.',
    },
  )
  return withDescription(caller, 'A caller, its token and what it may call.')
}

/** The algorithms that a token may be signed with. */
export const acceptedAlgorithms = ({ algorithms, secret_env }: JwtPolicy): readonly string[] =>
  algorithms ?? (secret_env === undefined ? ASYMMETRIC : SYMMETRIC)

function jwt(pattern: z.ZodString) {
  const key = z.looseObject({ kty: withDescription(z.string(), 'The type of the key.') })
  const keys = z.array(key.refine(isPublic, { error: 'must be a public key' })).min(1)
  const isPem = /^\s*-----BEGIN (PUBLIC KEY|CERTIFICATE)-----/
  return describedObject(
    {
      issuer: z.string().min(1),
      audience: z.string().min(1),
      jwks_url: z
        .url()
        .refine((text) => isSafeUrl(new URL(text)), { error: 'must be https, or http on this machine' })
        .optional(),
      jwks: z.looseObject({ keys: withDescription(keys, 'The keys.') }).optional(),
      public_key: z.string().regex(isPem, { error: 'must be a public key or certificate in PEM' }).optional(),
      secret_env: z
        .string()
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
        .optional(),
      algorithms: z
        .array(z.enum([...ASYMMETRIC, ...SYMMETRIC]))
        .min(1)
        .optional(),
      scope_claim: z.string().min(1).default('scope'),
      scope_prefix: z.string().default(''),
      profile_claim: z.string().min(1).optional(),
      scopes_supported: z.array(pattern).optional(),
    },
    {
      issuer: 'The iss claim that every token must have.',
      audience: 'The aud claim that every token must have; preferably the URL of this server.',
      jwks_url: 'URL of the keys of the issuer (JWKS): https, or http on this machine.',
      jwks: 'The public keys of the issuer (JWKS).',
      public_key: 'The only public key of the issuer, or its certificate, in PEM.',
      secret_env:
        'Environment variable with the secret shared with the issuer: at least 32 bytes, for HS256, HS384 and HS512.',
      algorithms:
        'The accepted signature algorithms. A token with another one is rejected. Default: all that fit the kind of key, never none.',
      scope_claim: 'The claim that lists the scopes: a text separated by spaces, or a list.',
      scope_prefix: 'The prefix of scopes for this server. It is removed; scopes without it are ignored.',
      profile_claim:
        'The claim that names the profile of myrmex.json that the caller is limited to. A token without it is rejected. Default: no profile.',
      scopes_supported:
        'The scopes that the metadata and a 401 ask clients to request, without the prefix. Everybody can read them. ' +
        'Default: one for each module (shop.*). An empty list names none.',
    },
  )
    .superRefine((given, ctx) => {
      const sources = KEY_SOURCES.filter((name) => given[name] !== undefined)
      if (sources.length !== 1) {
        const found = sources.length === 0 ? 'there is none' : `there are ${sources.join(' and ')}`
        ctx.addIssue({ code: 'custom', message: `must have exactly one of ${KEY_SOURCES.join(', ')}; ${found}` })
      }
      const [fitting, others] =
        given.secret_env === undefined ? [ASYMMETRIC, 'secret_env'] : [SYMMETRIC, 'a public key']
      for (const [index, name] of (given.algorithms ?? []).entries()) {
        if (fitting.includes(name)) continue
        ctx.addIssue({ code: 'custom', path: ['algorithms', index], message: `needs ${others}` })
      }
    })
    .meta({
      description: 'Callers with a JSON Web Token of an issuer that you trust.',
      oneOf: KEY_SOURCES.map((name) => ({ required: [name] })),
    })
}

const isPublic = (key: { kty: string }): boolean => key.kty !== 'oct' && !('d' in key)
