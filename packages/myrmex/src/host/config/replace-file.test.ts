import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readTextFile } from './read-text.ts'
import { replaceFile } from './replace-file.ts'

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'replace-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('however quickly a file is written again, every copy of what was there is kept', async () => {
  const file = join(place(), 'a.json')
  writeFileSync(file, 'mine')
  const copies: (string | undefined)[] = []
  for (const [before, now] of [
    ['mine', 'second'],
    ['second', 'third'],
    ['third', 'fourth'],
  ] as const)
    copies.push(await replaceFile(file, before, now))
  expect(copies.map((copy) => readFileSync(copy ?? '', 'utf8'))).toEqual(['mine', 'second', 'third'])
})

test('a byte order mark stays, and is no change by another program', async () => {
  const file = join(place(), 'a.json')
  writeFileSync(file, '\ufeffmine')
  expect(await readTextFile(file, 100)).toBe('mine')
  await replaceFile(file, 'mine', 'ours')
  expect(readFileSync(file, 'utf8')).toBe('\ufeffours')
})

test('a file that is not UTF-8 is refused', async () => {
  const file = join(place(), 'a.json')
  writeFileSync(file, Buffer.from('{"a":"\u00ff"}', 'latin1'))
  await expect(readTextFile(file, 100)).rejects.toThrow(/is not UTF-8 text/)
})

test('what its user made read-only stays as it is', async () => {
  const folder = place()
  const file = join(folder, 'a.json')
  writeFileSync(file, 'mine')
  chmodSync(file, 0o400)
  await expect(replaceFile(file, 'mine', 'ours')).rejects.toMatchObject({
    error_type: 'PermissionError',
    message: expect.stringMatching(/read-only.*nothing was changed/),
  })
  expect(readFileSync(file, 'utf8')).toBe('mine')
  expect(readdirSync(folder)).toEqual(['a.json'])
})

test.skipIf(process.platform === 'win32')('a dangling link is reported and stays unchanged', async () => {
  const folder = place()
  const link = join(folder, 'link.json')
  symlinkSync(join(folder, 'nowhere.json'), link)
  await expect(replaceFile(link, undefined, 'ours')).rejects.toMatchObject({
    error_type: 'ConflictError',
    message: expect.stringContaining('a link to a file that does not exist'),
  })
  expect(existsSync(join(folder, 'nowhere.json'))).toBe(false)
})
