import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { findProgram, systemProgram, withoutAddedVariables, wrappedSignal } from './launch.ts'

const folder = mkdtempSync(join(tmpdir(), 'program-'))
beforeAll(() => {
  for (const name of ['one', 'two', 'two/folder']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'one/plain'), '')
  for (const name of ['one/tool', 'two/tool', 'two/plain', 'local']) {
    writeFileSync(join(folder, name), '#!/bin/sh\n')
    chmodSync(join(folder, name), 0o755)
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

const PATH = ['/no/such/folder', 'one', 'two'].join(':')
const codeOf = (command: string, cwd = folder): unknown => {
  try {
    return findProgram(command, cwd, PATH)
  } catch (error) {
    return (error as { code: unknown }).code
  }
}

test.each([
  ['tool', 'one/tool'],
  ['plain', 'two/plain'],
  ['./local', 'local'],
])('%s is found as the system finds it', (command, found) => {
  expect(findProgram(command, folder, PATH)).toBe(join(folder, found))
})

test('what is missing, no file or not executable has the code that starting it has', () => {
  expect([codeOf('nothing'), codeOf('folder'), codeOf('./one/plain'), codeOf('tool', '/no/such/folder')]).toEqual([
    'ENOENT',
    'ENOENT',
    'EACCES',
    'ENOENT',
  ])
})

test.runIf(process.platform !== 'win32')(
  'a program that makes sandboxes is that of the system, and never one of a package',
  () => {
    const bin = join(folder, 'node_modules/.bin')
    mkdirSync(bin, { recursive: true })
    for (const name of ['env', 'hides-nothing']) {
      writeFileSync(join(bin, name), '')
      chmodSync(join(bin, name), 0o755)
    }
    vi.stubEnv('PATH', `${bin}:.:${join(folder, 'two')}`)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(systemProgram('env')).toMatch(/^(?:\/usr)?\/bin\/env$/)
    expect(() => systemProgram('hides-nothing')).toThrow('there is no program hides-nothing')
    expect(systemProgram('tool')).toBe(join(folder, 'two/tool'))
  },
)

test.runIf(process.platform !== 'win32')(
  'a program whose path has a = is started, and not taken for a variable',
  () => {
    const program = join(folder, 'a=b')
    writeFileSync(program, '#!/bin/sh\necho "$0 $*"\n', { mode: 0o755 })
    const [command = '', ...args] = withoutAddedVariables({}, [program, '/bin/echo', "it's"])
    expect(execFileSync(command, args, { encoding: 'utf8' })).toBe(`${program} /bin/echo it's\n`)
  },
)

test('an exit code above 128 is the signal that ended the child', () => {
  expect([137, 143, 128, 3, null, 255].map((code) => wrappedSignal(code))).toEqual([
    'SIGKILL',
    'SIGTERM',
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
