/** Log files under load: several real processes write to one log, which rotates all the time, while somebody follows it. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { LONG } from '@myrmex/testing/long'
import { fixturePath } from '@myrmex/testing/paths'
import { expect, onTestFinished, test } from 'vitest'
import { HostLogs, logNames, logPath, logsFolder } from './host-logs.ts'
import { type LogLine, readLog } from './read-log.ts'

function hostFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-logs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const opened = (folder: string, limits: { maxBytes: number; files: number }): HostLogs => {
  const logs = new HostLogs(folder, limits, (error) => {
    throw error
  })
  onTestFinished(() => logs.close())
  return logs
}

function write(folder: string, lines: number, maxBytes: number, files: number) {
  const args = [fixturePath('host/log-writer.ts'), folder, 'files', lines, maxBytes, files].map(String)
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  return { pid: child.pid as number, ended: once(child, 'exit').then(([code]) => code as number) }
}

const LINES = LONG ? 20_000 : 2000

test.each([1, 3])(
  'no line is lost or torn while %i processes write and rotate, and a follower sees none twice',
  async (count) => {
    const folder = hostFolder()
    const path = logPath(folder, 'files')
    const writers = Array.from({ length: count }, () => write(folder, LINES, LONG ? 64 * 1024 : 16 * 1024, 100))
    let isOver = false
    const ended = Promise.all(writers.map((one) => one.ended)).then((codes) => {
      isOver = true
      return codes
    })
    const followed: LogLine[] = []
    let after: string | undefined
    for (let last = false; ; ) {
      const page = readLog(path, { lines: after === undefined ? 100_000 : 1000, after })
      expect(page.isSkipped).toBe(false)
      followed.push(...page.lines)
      after = page.next
      if (last && page.lines.length === 0) break
      last = isOver
      await pause(1)
    }
    expect(await ended).toEqual(writers.map(() => 0))
    expect(readdirSync(logsFolder(folder)).length).toBeGreaterThan(2)
    const { lines } = readLog(path, { lines: 1_000_000 })
    const all = Array.from({ length: LINES }, (_, index) => index)
    for (const { pid } of writers) {
      const numbersOf = (from: readonly LogLine[]): number[] =>
        from.filter((line) => line.pid === pid).map(({ text }) => Number(/^line (\d+)$/.exec(text)?.[1] ?? text))
      expect(numbersOf(lines)).toEqual(all)
      // Of several writers one may still end the file that another has just rotated.
      const seen = numbersOf(followed)
      expect(seen).toEqual(count === 1 ? all : [...new Set(seen)].sort((a, b) => a - b))
      expect(seen.length).toBeGreaterThan(LINES / 2)
    }
    expect(lines).toHaveLength(count * LINES)
  },
)

test.each([1, 3])(
  'with %i files, old lines go, the limit holds, and a follower that fell behind hears of it',
  (files) => {
    const folder = hostFolder()
    const logs = opened(folder, { maxBytes: 1024, files })
    const burst = (name: string): void => {
      for (let count = 0; count < 5; count++) logs.write('files', 'info', `${name} ${count}`)
      logs.read('files', { lines: 1 })
    }
    burst('first')
    const { next } = logs.read('files', { lines: 1 })
    for (let count = 0; count < 40; count++) burst(`later ${count}`)
    const names = readdirSync(logsFolder(folder))
    expect(names).toHaveLength(files)
    for (const name of names) {
      const { size, mode } = statSync(join(logsFolder(folder), name))
      expect(size).toBeLessThanOrEqual(1024)
      expect(mode & 0o077).toBe(0)
    }
    const page = logs.read('files', { lines: 1000, after: next })
    expect(page.isSkipped).toBe(true)
    expect(page.lines.at(-1)?.text).toBe('later 39 4')
    for (const { text } of page.lines) expect(text).toMatch(/^later \d+ \d$/)
    expect(logs.read('files', { lines: 10, after: page.next })).toMatchObject({ lines: [], isSkipped: false })
  },
)

/** Bytes that this process has read. */
const bytesRead = (): number => Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])

test.skipIf(!existsSync('/proc/self/io'))('a page costs what it has, not what the files have', () => {
  const folder = hostFolder()
  const logs = opened(folder, { maxBytes: 2 * 1024 * 1024, files: 3 })
  const path = logPath(folder, 'files')
  for (let count = 0; count < 40_000; count++) logs.write('files', 'info', `line ${count} ${'x'.repeat(60)}`)
  logs.read('files', { lines: 1 })
  expect(statSync(path).size).toBeGreaterThan(1_000_000)
  const costOf = (read: () => { readonly lines: readonly LogLine[]; readonly next: string | undefined }) => {
    const before = bytesRead()
    const page = read()
    return { ...page, bytes: bytesRead() - before }
  }
  const last = costOf(() => readLog(path, { lines: 10 }))
  expect(last.lines.map(({ text }) => text.split(' ')[1])).toEqual(
    Array.from({ length: 10 }, (_, index) => String(39_990 + index)),
  )
  const none = costOf(() => readLog(path, { lines: 1000, after: last.next }))
  expect(none).toMatchObject({ lines: [], next: last.next })
  logs.write('files', 'info', 'one more')
  logs.read('files', { lines: 1 })
  const more = costOf(() => readLog(path, { lines: 1000, after: last.next }))
  expect(more.lines.map(({ text }) => text)).toEqual(['one more'])
  for (const { bytes } of [last, none, more]) expect(bytes).toBeLessThan(200_000)
})

test.each([0, 1, 999, 1000, 1001, 1500, 5000])(
  'the last %i lines, and from there on all, are the same ones however they lie in the files',
  (count) => {
    const folder = hostFolder()
    const logs = opened(folder, { maxBytes: 64 * 1024, files: 9 })
    const all = Array.from({ length: 1500 }, (_, index) => `${index} ${'ü'.repeat((index * 37) % 90)}`)
    for (const text of all.slice(0, 1000)) {
      logs.write('files', 'info', text)
      if (text.startsWith('5')) logs.read('files', { lines: 1 })
    }
    const first = logs.read('files', { lines: count })
    expect(first.lines.map(({ text }) => text)).toEqual(count === 0 ? [] : all.slice(0, 1000).slice(-count))
    const followed: string[] = []
    let next = first.next
    for (const text of all.slice(1000)) {
      logs.write('files', 'info', text)
      if (!text.endsWith('üü')) continue
      const page = logs.read('files', { lines: 7, after: next })
      next = page.next
      followed.push(...page.lines.map((line) => line.text))
    }
    for (let page = logs.read('files', { lines: 50, after: next }); page.lines.length > 0; ) {
      followed.push(...page.lines.map((line) => line.text))
      page = logs.read('files', { lines: 50, after: page.next })
    }
    expect(followed).toEqual(all.slice(1000))
  },
)

test('a line of a server is in its own log, and in that of the host if an operator must know it', () => {
  const folder = hostFolder()
  const logs = opened(folder, { maxBytes: 1024 * 1024, files: 2 })
  const isServer = (name: string): boolean => name === 'files'
  logs.record('info', 'files: started', isServer)
  logs.record('warn', 'files: it does not answer', isServer)
  logs.record('info', 'other: is no server', isServer)
  const texts = (name: string) => logs.read(name, { lines: 10 }).lines.map(({ text }) => text)
  expect(texts('files')).toEqual(['started', 'it does not answer'])
  expect(texts('myrmex')).toEqual(['files: it does not answer', 'other: is no server'])
  writeFileSync(join(logsFolder(folder), 'README'), '')
  expect(logs.names()).toEqual(['myrmex', 'files'])
  expect(logNames(join(folder, 'none'))).toEqual([])
})

test.skipIf(process.platform === 'win32')('neither a link nor a pipe with the name of a log is read', () => {
  const folder = hostFolder()
  const logs = opened(folder, { maxBytes: 1024, files: 2 })
  logs.write('files', 'info', 'ours')
  logs.read('files', { lines: 1 })
  writeFileSync(join(folder, 'private'), 'a secret\n')
  symlinkSync(join(folder, 'private'), logPath(folder, 'linked'))
  expect(spawnSync('mkfifo', [logPath(folder, 'piped')]).status).toBe(0)
  for (const name of ['linked', 'piped'])
    expect(() => readLog(logPath(folder, name), { lines: 10 })).toThrow(/is not a file/)
  expect(readLog(logPath(folder, 'files'), { lines: 10 }).lines).toMatchObject([{ text: 'ours' }])
})
