import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import schemaFile from '../../../schema/myrmex.policy.schema.json' with { type: 'json' }
import { ToolError } from '../../protocol/errors.ts'
import { EMPTY_POLICY, evaluatePolicy, hasApprovalRule, limitsFor, matchesName, parsePolicy } from './policy.ts'
import { policyJsonSchema } from './policy-schema.ts'

const HEX = 'a'.repeat(64)
const FULL = {
  $schema: './myrmex.policy.schema.json',
  approvals: [
    { name: 'large refunds', tools: ['shop.refund'], when: [{ argument: '/amount', above: 100 }], otherwise: 'allow' },
    { name: 'all of admin', tools: ['admin.*'] },
  ],
  limits: {
    all: { calls: 1000, per_ms: 1000 },
    principal: { calls: 50, per_ms: 1000 },
    tools: { 'shop.*': { calls: 5, per_ms: 60_000 } },
  },
  breaker: { failures: 5, open_ms: 30_000 },
  principals: [{ id: 'ci', token_sha256: HEX, scopes: ['file_utility.*'] }],
  jwt: {
    issuer: 'https://id.example',
    audience: 'https://tools.example/mcp',
    jwks_url: 'https://id.example/keys',
    algorithms: ['EdDSA', 'ES256', 'RS256'],
  },
  audit: { keep_days: 90 },
}

const refusal = (policy: unknown): string => {
  try {
    parsePolicy(policy)
  } catch (error) {
    expect(error).toBeInstanceOf(ToolError)
    expect((error as ToolError).error_type).toBe('ValidationError')
    return (error as Error).message
  }
  throw new Error(`taken for valid: ${JSON.stringify(policy)}`)
}

describe('a policy file', () => {
  test('is read whole, with what it leaves out filled in', () => {
    expect(parsePolicy(FULL)).toMatchObject({
      ...FULL,
      approvals: [FULL.approvals[0], { ...FULL.approvals[1], otherwise: 'default' }],
      jwt: { scope_claim: 'scope', scope_prefix: '' },
    })
    expect(parsePolicy({})).toEqual(EMPTY_POLICY)
  })

  const rule = (change: object) => ({ approvals: [{ name: 'r', tools: ['a.b'], ...change }] })
  const when = (...conditions: object[]) => rule({ when: conditions })
  const jwt = (change: object) => ({ jwt: { ...FULL.jwt, ...change } })
  test.each<[string, unknown, RegExp]>([
    ['no object', 7, /the whole is 7/],
    ['a list', [], /the whole is \[\]: must be an object/],
    ['a typo at the top', { aprovals: [] }, /\/aprovals is not known here. Did you mean approvals\?/],
    ['a typo in a rule', rule({ wen: [] }), /\/approvals\/0\/wen is not known here. Did you mean when\?/],
    ['a typo in a condition', when({ argument: '/x', abov: 1 }), /\/approvals\/0\/when\/0\/abov .* mean above\?/],
    ['a typo in a limit', { limits: { all: { calls: 1, per_ms: 1, per: 1 } } }, /\/limits\/all\/per .* mean per_ms\?/],
    [
      'a typo below a name',
      { limits: { tools: { 'a.*': { cals: 1, per_ms: 1 } } } },
      /\/limits\/tools\/a.*\/cals .*calls\?/,
    ],
    ['a rule without a name', { approvals: [{ tools: ['*'] }] }, /\/approvals\/0\/name is missing/],
    ['a rule for no tool', rule({ tools: [] }), /\/approvals\/0\/tools is \[\]/],
    ['a flat tool name', rule({ tools: ['shop_refund'] }), /\/approvals\/0\/tools\/0 is "shop_refund": .*module\.tool/],
    ['a name in capitals', rule({ tools: ['Shop.*'] }), /"Shop\.\*"/],
    ['a star in the middle', rule({ tools: ['shop.*.x'] }), /"shop\.\*\.x"/],
    ['a condition without operator', when({ argument: '/x' }), /must have an operator/],
    ['a bound that is text', when({ argument: '/x', above: '100' }), /\/above is "100": must be a number/],
    ['a dotted path', when({ argument: 'order.amount', above: 1 }), /"order.amount": must be a JSON pointer/],
    ['a broken pointer', when({ argument: '/a~2b', above: 1 }), /JSON pointer/],
    ['a broken pattern', when({ argument: '/x', matches: '(' }), /\/matches is "\(": is not a usable pattern/],
    ['a slow pattern', when({ argument: '/x', matches: '(a)\\1' }), /backreferences/],
    ['present: false', when({ argument: '/x', present: false }), /\/present is false/],
    ['an otherwise that never is', rule({ otherwise: 'allow' }), /\/approvals\/0\/otherwise .* always asks/],
    ['an unknown otherwise', rule({ when: [], otherwise: 'deny' }), /\/otherwise is "deny"/],
    [
      'two rules of one name',
      { approvals: [rule({}), rule({})].flatMap(({ approvals }) => approvals) },
      /is there twice/,
    ],
    ['no calls at all', { limits: { all: { calls: 0, per_ms: 1000 } } }, /\/limits\/all\/calls is 0/],
    ['half a call', { limits: { all: { calls: 1.5, per_ms: 1000 } } }, /\/limits\/all\/calls is 1.5/],
    [
      'a limit for a flat name',
      { limits: { tools: { shop: { calls: 1, per_ms: 1 } } } },
      /\/limits\/tools\/shop must be/,
    ],
    [
      'a principal called local',
      { principals: [{ id: 'local', token_sha256: HEX, scopes: [] }] },
      /\/principals\/0\/id/,
    ],
    ['one that looks like a JWT', { principals: [{ id: 'jwt:x:y', token_sha256: HEX, scopes: [] }] }, /"jwt:x:y"/],
    ['one without scopes', { principals: [{ id: 'ci', token_sha256: HEX }] }, /\/principals\/0\/scopes is missing/],
    [
      'one token for two',
      { principals: ['a', 'b'].map((id) => ({ id, token_sha256: HEX, scopes: [] })) },
      /is there twice/,
    ],
    ['keys over plain http', jwt({ jwks_url: 'http://id.example/keys' }), /must be https, or http on this machine/],
    ['no keys', jwt({ jwks_url: undefined }), /exactly one of .*; there is none/],
    ['two sources of keys', jwt({ secret_env: 'S' }), /exactly one of .*; there are jwks_url and secret_env/],
    ['the algorithm none', jwt({ algorithms: ['none'] }), /\/jwt\/algorithms\/0 is "none"/],
    [
      'a shared secret with a public key',
      jwt({ algorithms: ['ES256', 'HS256'] }),
      /\/algorithms\/1 is "HS256": needs secret_env/,
    ],
    ['a public key with a shared secret', jwt({ jwks_url: undefined, secret_env: 'S' }), /"EdDSA": needs a public key/],
    ['no days', { audit: { keep_days: 0 } }, /\/audit\/keep_days is 0/],
  ])('is refused with %s', (_what, policy, message) => {
    expect(refusal(policy)).toMatch(message)
  })

  test.each([
    ['a token in place of its hash', { principals: [{ id: 'ci', token_sha256: 'hunter2', scopes: [] }] }],
    [
      'a token under a name of its own',
      { principals: [{ id: 'ci', token: 'hunter2', token_sha256: HEX, scopes: [] }] },
    ],
    [
      'a private key in PEM',
      { jwt: { ...FULL.jwt, jwks_url: undefined, public_key: '-----BEGIN PRIVATE KEY-----hunter2' } },
    ],
    [
      'a private key in a JWKS',
      { jwt: { ...FULL.jwt, jwks_url: undefined, jwks: { keys: [{ kty: 'OKP', d: 'hunter2' }] } } },
    ],
    [
      'a shared key in a JWKS',
      { jwt: { ...FULL.jwt, jwks_url: undefined, jwks: { keys: [{ kty: 'oct', k: 'hunter2' }] } } },
    ],
    ['a secret in place of its name', { jwt: { ...FULL.jwt, jwks_url: undefined, secret_env: 'hunter2!' } }],
  ])('is refused with %s, without saying it again', (_what, policy) => {
    expect(refusal(policy)).not.toContain('hunter2')
  })

  test('of any shape is read or refused with words', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom('approvals', 'limits', 'principals', 'jwt', '__proto__'),
        (value, key) => {
          for (const policy of [value, JSON.parse(`{"${key}":${JSON.stringify(value)}}`)]) {
            try {
              parsePolicy(policy)
            } catch (error) {
              expect(error).toMatchObject({ error_type: 'ValidationError' })
            }
          }
        },
      ),
    )
  })
})

describe('the JSON Schema for editors', () => {
  test('is what the schema gives; scripts/json-schemas.ts writes it', () => {
    expect(schemaFile).toEqual(JSON.parse(JSON.stringify(policyJsonSchema())))
  })

  test('says of every field what it does', () => {
    const silent: string[] = []
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return
      for (const [name, field] of Object.entries((node as { properties?: object }).properties ?? {})) {
        if (typeof field.description !== 'string') silent.push(`${path}/${name}`)
      }
      for (const [name, child] of Object.entries(node)) visit(child, `${path}/${name}`)
    }
    visit(schemaFile, '')
    expect(silent).toEqual([])
  })
})

describe('a call', () => {
  const judged = (condition: object, args: unknown): boolean => {
    const policy = parsePolicy({ approvals: [{ name: 'r', tools: ['*'], when: [{ argument: '/x', ...condition }] }] })
    return evaluatePolicy(policy, { name: 'a.b' }, args)?.ask === true
  }

  test.each<[object, unknown[], unknown[]]>([
    [{ above: 100 }, [100.01, 101, 1e300, '7', null, [], undefined, Number.NaN], [100, 99, -5, 0]],
    [{ at_least: 100 }, [100, 101, '7', undefined], [99.99]],
    [{ below: 0 }, [-1, '7', undefined, {}], [0, -0, 1]],
    [{ at_most: 0 }, [0, -1, '7', undefined], [0.001]],
    [{ at_least: 1, below: 5 }, [1, 4, '7', undefined], [0, 5]],
    [{ longer_than: 2 }, ['abc', [1, 2, 3], 7, undefined, {}], ['', 'ab', '🐜🐜', [1, 2]]],
    [{ matches: '^rm\\b' }, ['rm -rf', 7, undefined, 'x'.repeat(5000)], ['arm', 'rmx', '']],
    [{ equals: 'all' }, ['all'], ['ALL', 'al', undefined, null, ['all']]],
    [{ equals: null }, [null], [undefined, 0, '']],
    [{ equals: { a: 1, b: [2] } }, [{ b: [2], a: 1 }], [{ a: 1 }, { a: 1, b: [2], c: 3 }]],
    [{ equals: 1 }, [1, 1.0], ['1', true]],
    [{ not_equals: 'test' }, ['live', undefined, null], ['test']],
    [{ one_of: ['a', 1] }, ['a', 1], ['b', '1', undefined]],
    [{ not_one_of: ['a', 1] }, ['b', '1', undefined], ['a', 1]],
    [{ present: true }, [0, null, '', false], [undefined]],
    [{ absent: true }, [undefined], [0, null]],
  ])('with a value for which %j holds needs a human', (condition, asked, unasked) => {
    for (const x of asked) expect([x, judged(condition, { x })]).toEqual([x, true])
    for (const x of unasked) expect([x, judged(condition, { x })]).toEqual([x, false])
  })

  test.each<[string, unknown, boolean]>([
    ['/a/b', { a: { b: 1 } }, true],
    ['/a/1', { a: [0, 1] }, true],
    ['/a~1b', { 'a/b': 1 }, true],
    ['/m~0n', { 'm~n': 1 }, true],
    ['/a/', { a: { '': 1 } }, true],
    ['', {}, true],
    ['/a/b', { a: 1 }, false],
    ['/constructor', {}, false],
    ['/__proto__', {}, false],
    ['/a/length', { a: [1] }, true],
  ])('is looked into by JSON pointer: %s in %j is there: %s', (argument, args, there) => {
    const policy = parsePolicy({ approvals: [{ name: 'r', tools: ['*'], when: [{ argument, present: true }] }] })
    expect(evaluatePolicy(policy, { name: 'a.b' }, args)?.ask ?? false).toBe(there)
  })

  test('is asked about only if all conditions of a rule hold, and always by a rule without', () => {
    const policy = parsePolicy({
      approvals: [
        {
          name: 'both',
          tools: ['a.*'],
          when: [
            { argument: '/x', above: 1 },
            { argument: '/y', equals: true },
          ],
        },
        { name: 'always', tools: ['b.c'] },
      ],
    })
    expect(evaluatePolicy(policy, { name: 'a.b' }, { x: 2, y: true })).toEqual({ ask: true, rule: 'both' })
    expect(evaluatePolicy(policy, { name: 'a.b' }, { x: 2, y: false })).toBeUndefined()
    expect(evaluatePolicy(policy, { name: 'b.c' }, {})).toEqual({ ask: true, rule: 'always' })
    expect(evaluatePolicy(policy, { name: 'c.d' }, { x: 2, y: true })).toBeUndefined()
  })

  test('is allowed by a rule that says so, unless another asks, in whatever order they stand', () => {
    const small = {
      name: 'small',
      tools: ['shop.refund'],
      when: [{ argument: '/amount', above: 100 }],
      otherwise: 'allow',
    }
    const abroad = { name: 'abroad', tools: ['*'], when: [{ argument: '/country', not_equals: 'NL' }] }
    for (const approvals of [
      [small, abroad],
      [abroad, small],
    ]) {
      const policy = parsePolicy({ approvals })
      expect(evaluatePolicy(policy, { name: 'shop.refund' }, { amount: 5, country: 'NL' })).toEqual({
        ask: false,
        rule: 'small',
      })
      expect(evaluatePolicy(policy, { name: 'shop.refund' }, { amount: 5, country: 'BE' })).toEqual({
        ask: true,
        rule: 'abroad',
      })
      expect(evaluatePolicy(policy, { name: 'shop.refund' }, { amount: 500, country: 'NL' })).toEqual({
        ask: true,
        rule: 'small',
      })
    }
  })

  test('of a tool no rule names costs nothing', () => {
    const policy = parsePolicy(FULL)
    expect(
      ['shop.refund', 'admin.x', 'admin.a.b', 'shop.list', 'other.x'].map((name) => hasApprovalRule(policy, { name })),
    ).toEqual([true, true, true, false, false])
    expect(hasApprovalRule(EMPTY_POLICY, { name: 'a.b' })).toBe(false)
  })
})

test('the most exact limit of a tool holds', () => {
  const limit = (calls: number) => ({ calls, per_ms: 1000 })
  const tools = { '*': limit(1), 'shop.*': limit(2), 'shop.eu.*': limit(3), 'shop.refund': limit(4) }
  const policy = parsePolicy({ limits: { tools, all: limit(9) } })
  const found = ['other.x', 'shop.list', 'shop.eu.list', 'shop.refund'].map(
    (name) => limitsFor(policy, { name }).tool?.calls,
  )
  expect(found).toEqual([1, 2, 3, 4])
  expect(limitsFor(policy, { name: 'a.b' })).toEqual({ tool: limit(1), all: limit(9) })
  expect(limitsFor(EMPTY_POLICY, { name: 'a.b' })).toEqual({})
})

test.each([
  ['a.b', 'a.b', true],
  ['a.b', 'a.bc', false],
  ['a.b', 'a.b.c', false],
  ['a.*', 'a.b', true],
  ['a.*', 'a.b.c', true],
  ['a.*', 'ab.c', false],
  ['a.*', 'a', false],
  ['*', 'x.y', true],
])('%s covers %s: %s', (pattern, name, covers) => {
  expect(matchesName(pattern, name)).toBe(covers)
})
