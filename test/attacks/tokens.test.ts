/**
 * Attacker: a remote caller
 * Attack: guesses a short `MYRMEX_TOKEN` on a public address.
 * Stopped by: tokens on public addresses have at least 32 characters, of which at least 10 differ.
 *
 * Attack: uses the operator's token as a principal's, whose hash is written in capitals.
 * Stopped by: tokens are compared by the bytes of their hash, and one token cannot be two callers.
 */
import { createHash } from 'node:crypto'
import { fixturePath } from '@myrmex/testing/paths'
import { StdioChild } from '@myrmex/testing/stdio-child'
import { describe, expect, onTestFinished, test } from 'vitest'
import { assertOperatorToken } from '../../packages/myrmex/src/host/api/operator-token.ts'
import { parsePolicy } from '../../packages/myrmex/src/pipeline/rules/policy.ts'
import { guard } from '../../packages/myrmex/src/transport/http/guard.ts'

const STRONG = 'Zk3vQ9-8sLw1TnXy4bRe7uPd2aGh6cJm'
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const principal = (id: string, token_sha256: string) => ({ id, token_sha256, scopes: ['a.b'] })

describe('an uppercase token_sha256 defeats the check that operator and caller tokens differ', () => {
  test.each([sha256(STRONG), sha256(STRONG).toUpperCase()])('%s', (hash) => {
    const parsed = parsePolicy({ principals: [principal('eve', hash)] })
    for (const { principals } of [parsed, { principals: [principal('eve', hash)] }])
      expect(() => assertOperatorToken(STRONG, { principals })).toThrow('a caller must not approve its own calls')
  })

  test('the same token under two names, once in capitals, is refused', () => {
    const principals = [principal('a', sha256(STRONG)), principal('b', sha256(STRONG).toUpperCase())]
    expect(() => parsePolicy({ principals })).toThrow(/token_sha256/)
  })

  test('a principal’s token as MYRMEX_TOKEN, which would lift its scopes, is refused', () => {
    const policy = parsePolicy({ principals: [principal('eve', sha256(STRONG).toUpperCase())] })
    expect(() => guard({ host: '127.0.0.1', token: STRONG, policy })).toThrow(/principal eve/)
  })
})

describe('a short MYRMEX_TOKEN is accepted on a public address', () => {
  test.each(['short', 'x'.repeat(64), 'abcabcabcabcabcabcabcabcabcabcabc', '0123456789abcdef', ' '.repeat(40)])(
    '%j is refused with what to do',
    (token) => {
      for (const host of ['0.0.0.0', '::', '192.0.2.1', 'tools.example'])
        expect(() => guard({ host, token })).toThrow(/MYRMEX_TOKEN.*at least 32 characters.*openssl rand/s)
    },
  )

  test('the error does not repeat the token', () => {
    expect(() => guard({ host: '0.0.0.0', token: 'hunter2' })).toThrow(/^(?!.*hunter2)/s)
  })

  test('a random token is accepted, and a short one on loopback', () => {
    expect(guard({ host: '0.0.0.0', token: STRONG })).toBeTypeOf('function')
    expect(guard({ host: '0.0.0.0', token: sha256('hexadecimal') })).toBeTypeOf('function')
    expect(guard({ host: '127.0.0.1', token: 'short' })).toBeTypeOf('function')
  })

  test('the command does not start', async () => {
    const args = ['serve', fixturePath('all.tools.ts'), '--http', '0', '--host', '0.0.0.0']
    const child = new StdioChild(args, { ...process.env, MYRMEX_TOKEN: 'short' })
    onTestFinished(() => child.kill())
    expect(await child.exited()).toBe(1)
    expect(child.stderr).toMatch(/MYRMEX_TOKEN/)
  })
})
