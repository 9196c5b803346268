/**
 * The attacker is a server behind the host. The operator wrote a rule about a tool, and the server lists that tool under a spelling that the
 * rule does not have: another case, a dash, a dot, a name that comes to the same as another, a claimed canonical name, a name so long
 * that its end is cut off.
 *
 * What stops them: rules match the names that callers use. The server's own spelling can only add restrictions. Of two spellings of one
 * name the second is skipped and reported.
 *
 * Attacker: an upstream server over the wire
 * Attack: lists a tool under a spelling that the operator's rule does not have: another case, a dash, a claimed or a cut name.
 * Stopped by: rules match canonical names. The server's own spelling can only add restrictions, and of two spellings of one name
 * the second is skipped.
 */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { changingServer, hostOf } from '@myrmex/testing/host/changing-server'
import { rawClient } from '@myrmex/testing/host/raw-client'
import { serverSettings } from '@myrmex/testing/host/server-settings'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openHost } from '../../packages/myrmex/src/host/host.ts'
import type { ServerSettings, ToolSettings } from '../../packages/myrmex/src/host/settings.ts'

const READS = { inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }
const listed = (name: string, more: object = {}) => ({
  name,
  description: `Does ${name.slice(0, 20)}.`,
  ...READS,
  ...more,
})
const rules = (...tools: [string, ToolSettings][]): Partial<ServerSettings> => ({ tools })

async function namesBehind(tools: readonly object[], more: Partial<ServerSettings>): Promise<string[]> {
  const host = await hostOf([changingServer('srv', { tools }, more)])
  return [...host.server.registry].map(({ name }) => name).sort()
}

describe('names evade rules: a disabled tool comes back under another spelling', () => {
  const OFF = { enabled: false }
  const LONG = `${'x'.repeat(130)}Admin`
  const spellings: [rule: string, raw: string, more?: object][] = [
    ['delete_*', 'deleteRepo'],
    ['delete_*', 'DeleteRepo'],
    ['delete_*', 'delete-repo'],
    ['delete_*', 'Delete Repo'],
    ['delete_*', 'delete.repo'],
    ['delete_*', 'delete_repo', { _meta: { 'myrmex/name': 'notes.read' } }],
    ['delete_repo', 'deleteRepo'],
    ['delete_repo', 'delete.repo'],
    ['deleteRepo', 'delete-repo'],
    ['deleteRepo', 'delete_repo'],
    ['srv.delete_repo', 'deleteRepo'],
    ['srv.delete_*', 'deleteRepo'],
    ['*_admin', LONG],
    ['read', 'wipe', { _meta: { 'myrmex/name': 'notes.read' } }],
  ]
  test.each(spellings)('%s turns off %s', async (rule, raw, more) => {
    expect(await namesBehind([listed(raw, more), listed('look')], rules([rule, OFF]))).toEqual(['srv.look'])
  })

  test('a call by the canonical, flat or raw name finds nothing', async () => {
    const server = changingServer('srv', { tools: [listed('deleteRepo'), listed('look')] }, rules(['delete_*', OFF]))
    const host = await hostOf([server])
    const client = await rawClient(host.server, { era: 'legacy' })
    for (const name of ['srv.delete_repo', 'srv_delete_repo', 'delete_repo', 'deleteRepo'])
      await expect(client.request('tools/call', { name, arguments: {} })).rejects.toMatchObject({ code: -32602 })
    expect(server.called()).toEqual([])
  })

  test('a rule in the spelling of the server still turns a tool off, wherever it is in the list', async () => {
    const all = [listed('deleteRepo'), listed('readRepo')]
    const restricts = rules(['*_repo', { timeoutMs: 9000 }], ['deleteR*', OFF])
    expect(await namesBehind(all, restricts)).toEqual(['srv.read_repo'])
  })

  test('a list of allowed tools stays one: everything else is off, in every spelling', async () => {
    const all = [listed('readFile'), listed('writeFile'), listed('write-file2')]
    expect(await namesBehind(all, rules(['read_file', {}], ['*', OFF]))).toEqual(['srv.read_file'])
  })
})

describe('names evade rules: a tool that changes state passes for one that does not', () => {
  const writes = (name: string) => ({ name, description: 'Writes.', inputSchema: { type: 'object' } })
  const destructive = async (name: string, more: Partial<ServerSettings>): Promise<boolean | undefined> =>
    [...(await hostOf([changingServer('srv', { tools: [writes(name)] }, more)])).server.registry][0]?.destructive

  test('a pattern in the spelling of the server cannot lift what a canonical rule says', async () => {
    const more = rules(['drop*Safe', { destructive: false }], ['drop_*', { destructive: true }])
    expect(await destructive('dropAllSafe', more)).toBe(true)
  })

  test('a pattern that only the spelling of the server fits does not declare a tool harmless', async () => {
    expect(await destructive('dropAllSafe', rules(['*Safe', { destructive: false }]))).toBe(true)
  })

  test('the rule that names it does, in whichever spelling it is written', async () => {
    for (const rule of ['dropAll', 'drop_all', 'srv.drop_all', 'drop_*'])
      expect(await destructive('dropAll', rules([rule, { destructive: false }]))).toBe(false)
  })
})

describe('names evade rules: two tools with one canonical name', () => {
  test('the second is skipped and reported, and the rule for the name holds for the one that is left', async () => {
    const server = changingServer('srv', { tools: [listed('deleteRepo'), listed('delete-repo'), listed('look')] })
    const host = await hostOf([server])
    expect([...host.server.registry].map(({ name }) => name).sort()).toEqual(['srv.delete_repo', 'srv.look'])
    expect(host.problems).toMatchObject([
      { server: 'srv', item: 'delete-repo', message: expect.stringMatching(/srv\.delete_repo.*"deleteRepo".*skipped/) },
    ])
    expect(
      await namesBehind([listed('deleteRepo'), listed('delete-repo')], rules(['delete_repo', { enabled: false }])),
    ).toEqual([])
  })

  test('the tool that has the canonical name keeps it, in whatever order they are listed', async () => {
    for (const tools of [
      [listed('deleteRepo'), listed('delete_repo')],
      [listed('delete_repo'), listed('deleteRepo')],
    ]) {
      const server = changingServer('srv', { tools })
      const client = await rawClient((await hostOf([server])).server, { era: 'legacy' })
      await client.request('tools/call', { name: 'srv.delete_repo', arguments: {} })
      expect(server.called()).toEqual(['delete_repo'])
    }
  })
})

describe('names evade rules: a module in this process is a server, too', () => {
  test('a tool that the file turns off is not served', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'module-rules-'))
    const file = join(folder, 'shop.mjs')
    const one = (name: string): string =>
      `tool({ name: '${name}', version: '1.0.0', description: 'Does it.', input: { type: 'object' }, output: { type: 'object' },
        errors: {}, idempotent: true, destructive: false, security: 'None.', examples: [], run: () => ({}) })`
    const myrmex = new URL('../../packages/myrmex/src/index.ts', import.meta.url).href
    writeFileSync(
      file,
      `import { tool } from '${myrmex}'\nexport const a = ${one('shop.delete_all')}\nexport const b = ${one('shop.look')}\n`,
    )
    const settings = serverSettings('shop', { where: 'in-process', file }, rules(['delete_*', { enabled: false }]))
    const host = await openHost({ settings: [settings] })
    onTestFinished(() => host.close())
    expect([...host.server.registry].map(({ name }) => name)).toEqual(['shop.look'])
  })
})
