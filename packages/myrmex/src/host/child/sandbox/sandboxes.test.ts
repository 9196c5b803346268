import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { SandboxKind } from '../../settings.ts'
import { Sandboxes } from './sandboxes.ts'

/** A host on a machine that has no program for namespaces. */
function launchIn(kind: SandboxKind, write?: string[]) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sandboxes-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const state = join(folder, '.myrmex')
  mkdirSync(state)
  vi.stubEnv('PATH', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  const endpoint = { where: 'child', command: process.execPath, args: [], env: {}, cwd: folder } as const
  const paths = { state, hide: [], hidden: [], readOnly: [] }
  const settings = { kind, network: true, ...(write && { write: write.map((name) => join(folder, name)) }), ...paths }
  return { folder, state, launched: new Sandboxes().launch('one', endpoint, settings) }
}

const onLinux = test.runIf(process.platform === 'linux')

onLinux('a trial that cannot begin leaves no file in the state folder', async () => {
  const { state, launched } = launchIn('bwrap')
  await expect(launched).rejects.toThrow('Install bubblewrap')
  expect(readdirSync(state).filter((name) => name.startsWith('sandbox-trial'))).toEqual([])
})

onLinux('a missing path of write is named, and not the kinds that were never tried', async () => {
  const { folder, launched } = launchIn('auto', ['notes'])
  await expect(launched).rejects.toThrow(
    `one was not started: its sandbox may write to ${join(folder, 'notes')}, which does not exist. Create it, or correct the path`,
  )
})
