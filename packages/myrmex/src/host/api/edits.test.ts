/** Requests that edit the same file at the same time: none is lost, and each is answered as if it had come alone. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '@myrmex/testing/gated-server'
import { type ApiAnswer, serveOperatorApi } from '@myrmex/testing/operator-api'
import { expect, onTestFinished, test } from 'vitest'

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six']

async function editable() {
  const folder = mkdtempSync(join(tmpdir(), 'edits-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const configFile = join(folder, 'myrmex.json')
  writeFileSync(configFile, '{\n  // ours\n  "mcpServers": {}\n}\n')
  const api = await serveOperatorApi({ ...(await serve([])), configFile })
  const text = (): string => readFileSync(configFile, 'utf8')
  const known = (): string[] => [...text().matchAll(/"(\w+)": \{\s*"command"/g)].map(([, name]) => String(name))
  return { folder, api, text, known }
}

const statuses = (answers: readonly ApiAnswer[]): number[] => answers.map(({ status }) => status)
const entry = { command: 'node', args: ['x.mjs'] }

test('servers that are added, switched and removed at once are all there in the end, with a backup of each step', async () => {
  const { folder, api, text, known } = await editable()
  const add = (name: string) => api.post('/api/servers', { name, entry })
  expect(statuses(await Promise.all(NAMES.map(add)))).toEqual(NAMES.map(() => 200))
  expect(known()).toEqual(NAMES)
  const again = await Promise.all(['seven', 'seven', 'seven'].map(add))
  expect(statuses(again).sort()).toEqual([200, 409, 409])
  const mixed = await Promise.all([
    api.post('/api/servers/one/remove'),
    api.post('/api/servers/two/disable'),
    add('eight'),
    api.post('/api/servers/two/enable'),
    api.post('/api/servers/one/remove'),
  ])
  expect(statuses(mixed)).toEqual([200, 200, 200, 200, 404])
  expect(known()).toEqual([...NAMES.slice(1), 'seven', 'eight'])
  expect(text()).not.toContain('disabled')
  expect(text()).toContain('// ours')
  expect(readdirSync(folder).filter((name) => name.endsWith('.draft'))).toEqual([])
})
