import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { writeKnownFolder } from './folder-registry.ts'
import { protectedPaths } from './protected-paths.ts'

test('the state folders of all folders that the user’s Myrmex knows are hidden from children', async () => {
  const base = mkdtempSync(join(process.cwd(), 'protected-'))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  vi.stubEnv('XDG_CONFIG_HOME', join(base, 'config'))
  onTestFinished(() => void vi.unstubAllEnvs())
  const [own, other, gone] = ['own', 'other', 'gone'].map((name) => join(base, name)) as [string, string, string]
  for (const path of [own, other, gone]) await writeKnownFolder({ path, how: 'created', since: '2026-11-18' })
  for (const path of [own, other]) mkdirSync(join(path, '.myrmex'), { recursive: true })
  const { hide } = protectedPaths({ ledger: join(own, '.myrmex', 'ledger.db') }, own)
  expect(hide).toContain(join(other, '.myrmex'))
  expect(hide).not.toContain(join(own, '.myrmex'))
  expect(hide).not.toContain(join(gone, '.myrmex'))
})
