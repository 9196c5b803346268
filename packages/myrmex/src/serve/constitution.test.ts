import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { EMPTY_CONSTITUTION } from '../pipeline/rules/constitution.ts'
import { loadConstitution } from './operator-file.ts'

let folder: string
const before = process.cwd()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'myrmex-constitution-'))
  process.chdir(folder)
})
afterEach(async () => {
  delete process.env.MYRMEX_CONSTITUTION
  await rm('myrmex.constitution.json', { force: true })
})
afterAll(async () => {
  process.chdir(before)
  await rm(folder, { recursive: true, force: true })
})

test('the file in the working directory is used if it is there, and another if it was named', async () => {
  expect(await loadConstitution()).toBe(EMPTY_CONSTITUTION)
  await writeFile('myrmex.constitution.json', '{"time_zone": "Europe/Berlin"}')
  await writeFile('other.json', '{"time_zone": "Asia/Tokyo"}')
  expect(await loadConstitution()).toMatchObject({ time_zone: 'Europe/Berlin' })
  expect(await loadConstitution('other.json')).toMatchObject({ time_zone: 'Asia/Tokyo' })
  process.env.MYRMEX_CONSTITUTION = 'other.json'
  expect(await loadConstitution()).toMatchObject({ time_zone: 'Asia/Tokyo' })
  process.env.MYRMEX_CONSTITUTION = 'gone.json'
  await expect(loadConstitution()).rejects.toThrow('The constitution file gone.json does not exist')
})

test('a mistake in it is refused with its line and column', async () => {
  await writeFile('myrmex.constitution.json', '{\n  "articles": [\n    {"name": "a", "text": "b", "tool": []}\n  ]\n}')
  await expect(loadConstitution()).rejects.toThrow(
    /^myrmex\.constitution\.json:3:32: \/articles\/0\/tool is not known here\. Did you mean tools\?/m,
  )
})
