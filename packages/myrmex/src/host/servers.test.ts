import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serverSettings } from '@myrmex/testing/host/server-settings'
import { fixturePath } from '@myrmex/testing/paths'
import { expect, test } from 'vitest'
import { createHost, openHost } from './host.ts'
import type { ServerSettings } from './settings.ts'

/** One that says nothing at all stays in its start for a minute. */
function child(name: string, shape: object = {}): ServerSettings & { folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'serving-'))
  writeFileSync(join(folder, 'shape.json'), JSON.stringify(shape))
  const args = [fixturePath('host/scripted-upstream.mjs'), 'legacy']
  const place = { where: 'child', command: process.execPath, args, env: { FOLDER: folder }, cwd: folder } as const
  return { ...serverSettings(name, place), folder }
}

const moduleFile = (name: string, file: string): ServerSettings => serverSettings(name, { where: 'in-process', file })

const isStarted = ({ folder }: { folder: string }): boolean => {
  try {
    return readFileSync(join(folder, 'log'), 'utf8').startsWith('start')
  } catch {
    return false
  }
}

test('a server that takes its time to start holds up neither the next settings nor the end', async () => {
  const host = createHost({})
  const slow = child('slow', { mute: true })
  try {
    const first = host.replace([slow])
    await expect.poll(() => isStarted(slow)).toBe(true)
    await host.replace([slow, child('quick')])
    expect(host.servers().map(({ name, state }) => [name, state])).toEqual([
      ['slow', 'starting'],
      ['quick', 'ready'],
    ])
    // Taken out of the settings it is not waited for any longer either.
    await host.replace([])
    await first
    expect(host.servers()).toEqual([])
  } finally {
    await host.close()
  }
})

test('a file that is taken out while it is still being loaded leaves nothing behind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'serving-'))
  const entry = fileURLToPath(new URL('../tool/prompt.ts', import.meta.url))
  const file = join(folder, 'late.ts')
  writeFileSync(
    file,
    `import { prompt } from ${JSON.stringify(entry)}\nawait new Promise((go) => { globalThis.goOn = go })\n` +
      `export const late = prompt({ name: 'late', get: () => 'late' })\n`,
  )
  const waits = globalThis as unknown as { goOn?: () => void }
  const host = createHost({})
  try {
    const first = host.replace([moduleFile('late', file)])
    await expect.poll(() => waits.goOn).toBeDefined()
    await host.replace([])
    waits.goOn?.()
    await first
    expect(host.server.prompts.all()).toEqual([])
  } finally {
    await host.close()
  }
})

test('two files with an agent each are two servers: the tools of both are there, and the host is neither agent', async () => {
  const agents = ['clerk', 'kiosk'].map((name) => moduleFile(name, fixturePath(`fleet/${name}.agent.ts`)))
  const host = await openHost({ settings: agents })
  try {
    expect(host.problems).toEqual([])
    const names = host.server.registry.listed().map(({ tool }) => tool.name)
    expect(names).toEqual(expect.arrayContaining(['clerk.file_letter', 'kiosk.find_paper']))
    expect(host.server.agent).toBeUndefined()
    expect([...host.server.methods.keys()]).toEqual([])
    await host.replace(agents.slice(1))
    expect(host.server.registry.listed().some(({ tool }) => tool.name.startsWith('clerk.'))).toBe(false)
  } finally {
    await host.close()
  }
})

test.each([
  [
    'is removed from the settings',
    'one: this server was just removed from the settings of the host. List the tools again.',
  ],
  [
    'has new settings',
    'one: the settings of this server have just changed, and the host connects to it again. Try again in 2000 ms.',
  ],
  ['ends with the host', 'one: the host is ending. Call again when it is running.'],
])('a call in flight to a server that %s gets an error that says so', async (how, message) => {
  const one = child('one')
  const host = await openHost({ settings: [one] })
  try {
    const call = host.upstream('one')?.request('tools/call', { name: 'silent', arguments: {} })
    const told = expect(call).rejects.toMatchObject({ error_type: 'UnavailableError', message })
    if (how === 'ends with the host') await host.close()
    else await host.replace(how === 'has new settings' ? [{ ...one, digest: 'new' }] : [])
    await told
  } finally {
    await host.close()
  }
})
