/** Somebody who may write inside the base changes it under the reader, as fast as a process can. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Result, serve, temporaryFolder } from './call-tool.ts'

const SECRET = 'the secret outside'

/** Runs `loop` over and over in a process of its own, until the test is over. */
async function attacker(cwd: string, prepare: string, loop: string): Promise<void> {
  const script = `
    import * as fs from 'node:fs'
    ${prepare}
    process.stdout.write('ready')
    for (;;) { ${loop} }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  await once(child.stdout, 'data')
}

const ATTACKS = {
  'a file for a link that leads out': {
    prepare: '',
    loop: `
      fs.symlinkSync('../../out/file', 'next'); fs.renameSync('next', 'dir/file')
      fs.writeFileSync('next', 'inside'); fs.renameSync('next', 'dir/file')`,
  },
  'a directory on the way for a link that leads out': {
    prepare: `fs.symlinkSync('../out', 'link')`,
    loop: `
      fs.renameSync('dir', 'kept'); fs.renameSync('link', 'dir')
      fs.renameSync('dir', 'link'); fs.renameSync('kept', 'dir')`,
  },
  'the target of a link that stays inside': {
    prepare: `fs.rmSync('dir/file'); fs.writeFileSync('good', 'inside'); fs.symlinkSync('../good', 'dir/file')`,
    loop: `
      fs.symlinkSync('../../out/file', 'next'); fs.renameSync('next', 'dir/file')
      fs.symlinkSync('../good', 'next'); fs.renameSync('next', 'dir/file')`,
  },
  'a file for a pipe': {
    prepare: `import { execFileSync } from 'node:child_process'; execFileSync('mkfifo', ['pipe'])`,
    loop: `
      fs.renameSync('dir/file', 'kept'); fs.renameSync('pipe', 'dir/file')
      fs.renameSync('dir/file', 'pipe'); fs.renameSync('kept', 'dir/file')`,
  },
}

test.each(Object.entries(ATTACKS))('swapping %s gains nothing', async (_, { prepare, loop }) => {
  const top = temporaryFolder()
  const base = join(top, 'base')
  mkdirSync(join(base, 'dir'), { recursive: true })
  mkdirSync(join(top, 'out'))
  writeFileSync(join(top, 'out/file'), SECRET)
  writeFileSync(join(base, 'dir/file'), 'inside')
  const read = await serve(base)
  await attacker(base, prepare, loop)
  const seen = new Map<string, number>()
  const start = performance.now()
  const elapsed = (): number => performance.now() - start
  while (elapsed() < 400 || (elapsed() < 30_000 && !(seen.has('inside') && seen.has('PermissionError')))) {
    for (const result of await Promise.all(Array.from({ length: 8 }, () => read({ file_path: 'dir/file' })))) {
      const outcome = outcomeOf(result)
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
    }
  }
  const outcomes = new Set(seen.keys())
  // Both sides of the swap were met, or nothing was shown.
  expect(outcomes).toContain('inside')
  expect(outcomes).toContain('PermissionError')
  outcomes.delete('FileNotFoundError')
  expect([...outcomes].sort()).toEqual(['PermissionError', 'inside'])
})

const outcomeOf = ({ data, error }: Result): string => data?.file_content ?? error?.error_type ?? 'nothing'

test('a file that grows while it is read stays within the limit', async () => {
  const base = temporaryFolder()
  const limit = 10 * 1024 * 1024
  writeFileSync(join(base, 'log'), 'x')
  const read = await serve(base)
  const line = `if (fs.statSync('log').size < ${limit + 1024 * 1024}) fs.appendFileSync('log', 'x'.repeat(10_000))`
  await attacker(base, '', line)
  let result: Result
  do {
    result = await read({ file_path: 'log' })
    expect(result.data?.chars_read ?? 0).toBeLessThanOrEqual(limit)
  } while (result.data !== null)
  expect(result.error?.error_type).toBe('FileTooLargeError')
  expect((await read({ file_path: 'log', max_chars: 3 })).data?.file_content).toBe('xxx')
})
