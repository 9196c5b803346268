/** A real file, changed in the ways that people and editors change one. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { watchHostFile } from './watch-host-file.ts'

test('it is read again after a save, a rename in its place and a repair; what is broken or gone changes nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-watch-'))
  const file = join(folder, 'myrmex.json')
  const save = (name: string, path = file): void => writeFileSync(path, `{"mcpServers": {"${name}": {"command": "x"}}}`)
  save('first')
  const heard: string[] = []
  const watching = await watchHostFile(
    file,
    ({ settings }) => void heard.push(settings.map(({ name }) => name).join()),
    (error) => void heard.push((error as Error).message.replace(file, 'FILE')),
  )
  onTestFinished(async () => {
    await watching.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const hears = (what: string): Promise<void> => vi.waitFor(() => expect(heard.at(-1)).toBe(what))

  save('second')
  await hears('second')
  save('third', `${file}~`)
  renameSync(`${file}~`, file)
  await hears('third')
  writeFileSync(file, '{\n "mcpServers": {')
  await hears('FILE:2:17: invalid JSON: a closing } is missing')
  rmSync(file)
  await hears('FILE is gone')
  save('third')
  await hears('third')
  writeFileSync(join(folder, 'other.json'), '{}')
  await watching.reload()
  expect(heard).toEqual([
    'second',
    'third',
    'FILE:2:17: invalid JSON: a closing } is missing',
    'FILE is gone',
    'third',
    'third',
  ])
})

test('a change since the file was read is noticed when the watch begins', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-watch-'))
  const file = join(folder, 'myrmex.json')
  const known = '{"mcpServers": {"first": {"command": "x"}}}'
  writeFileSync(file, known.replace('first', 'second'))
  const heard: string[] = []
  const watching = await watchHostFile(
    file,
    ({ settings }) => void heard.push(settings.map(({ name }) => name).join()),
    (error) => void heard.push((error as Error).message),
    { known },
  )
  onTestFinished(async () => {
    await watching.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await vi.waitFor(() => expect(heard).toEqual(['second']))
})
