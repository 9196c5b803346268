import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { existingKey, openLedger } from '../ledger/open.ts'
import { knownFolder, knownLedger, writeKnownFolder } from './folder-registry.ts'
import { requireFolder, requireLedger } from './folder-trust.ts'

vi.mock('../ledger/open.ts', { spy: true })
vi.mock('./folder-registry.ts', { spy: true })

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(process.cwd(), 'begun-'))
  vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'config'))
  vi.stubEnv('MYRMEX_TRUSTED_FOLDERS', '')
  onTestFinished(() => {
    vi.resetAllMocks()
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })
})

test('a folder in which another process begins just then is known', async () => {
  await writeKnownFolder({ path: folder, how: 'created', since: '2026-11-18' })
  writeFileSync(join(folder, 'myrmex.policy.json'), '{}')
  vi.mocked(knownFolder).mockReturnValueOnce(undefined)
  await requireFolder(folder)
  expect(knownFolder).toHaveBeenCalledTimes(2)
})

test('a ledger that another process completes just then is known', async () => {
  const file = join(folder, '.myrmex', 'ledger.db')
  const { opened } = await requireLedger(file)
  const creating = knownLedger(folder, file)
  const ledger = await openLedger(file)
  onTestFinished(() => ledger.close())
  const key = existingKey(file)?.id ?? ''
  await opened(key)
  let isComplete = false
  const { knownLedger: read } = await vi.importActual<typeof import('./folder-registry.ts')>('./folder-registry.ts')
  vi.mocked(knownLedger).mockImplementation((...place) => (isComplete ? read(...place) : creating))
  const keyNotYetThere = (): undefined => {
    isComplete = true
  }
  vi.mocked(existingKey).mockImplementationOnce(keyNotYetThere).mockImplementationOnce(keyNotYetThere)
  await requireLedger(file)
  expect(isComplete).toBe(true)
})
