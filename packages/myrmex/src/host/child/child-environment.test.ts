/** Which variables a child gets. */
import { expect, test, vi } from 'vitest'
import { childEnvironment } from './child-environment.ts'

const child = (args: readonly string[], env: Record<string, string> = {}) =>
  childEnvironment({ where: 'child', command: 'node', args: [...args], env, cwd: '/work' })

test('a server of Myrmex has its ledger in its working directory, wherever its tools are, unless it is configured', () => {
  vi.stubEnv('MYRMEX_LEDGER', '/the/ledger/of/the/host.db')
  expect(child(['myrmex.js', 'serve', '/elsewhere/a.tools.ts'])).toMatchObject({
    MYRMEX_LEDGER: '/work/.myrmex/ledger.db',
  })
  expect(child(['myrmex.js', 'serve', 'a.tools.ts'], { MYRMEX_LEDGER: 'x.db' })).toMatchObject({
    MYRMEX_LEDGER: 'x.db',
  })
  for (const args of [
    ['myrmex.js', 'host'],
    ['other.js', 'serve'],
  ])
    expect(child(args)).not.toHaveProperty('MYRMEX_LEDGER')
  vi.unstubAllEnvs()
})
