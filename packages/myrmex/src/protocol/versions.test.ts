import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { MYRMEX_VERSION } from './versions.ts'

test('the version that servers and clients report is the version of the package', async () => {
  const manifest = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(MYRMEX_VERSION).toBe(manifest.version)
})
