/** A path that somebody names can be anything: what never ends must not fill the memory, or keep the request waiting. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readTextFile } from './read-text.ts'

const KIB = 1024

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'text-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

test('a file is read without its byte order mark, up to the limit', async () => {
  const file = join(folder(), 'one.json')
  writeFileSync(file, `\ufeff${'ä'.repeat(KIB / 2 - 2)}`)
  expect(await readTextFile(file, KIB)).toBe('ä'.repeat(KIB / 2 - 2))
  await expect(readTextFile(file, KIB - 2)).rejects.toThrow('is larger than 1022 bytes')
  expect(await readTextFile(join(file, 'below'), KIB)).toBeUndefined()
  expect(await readTextFile(join(folder(), 'none'), KIB)).toBeUndefined()
})

test.skipIf(process.platform === 'win32')('a folder, a device and a pipe are refused at once', async () => {
  const pipe = join(folder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  for (const path of [folder(), '/dev/zero', pipe])
    await expect(readTextFile(path, KIB)).rejects.toThrow(`${path} is not a file`)
})
