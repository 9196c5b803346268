import { expect, test, vi } from 'vitest'
import { LineFrames } from '../../transport/frames.ts'
import { Scrubber } from '../link/scrubber.ts'
import { LogSanitiser, MAX_LINE_BYTES } from './log-sanitiser.ts'

const hearing = (secrets: string[] = []): { lines: string[]; told: LogSanitiser } => {
  const lines: string[] = []
  return { lines, told: new LogSanitiser((line) => lines.push(line), new Scrubber(secrets)) }
}

test('lines lose colours, control and hidden characters, and their end where they are long', () => {
  const { lines, told } = hearing()
  told.write('\u001b[31mred\u001b[0m\ttab\u0000\u0007 \u202eturned\u200b \u001b]0;title\u0007done\r')
  told.write('x'.repeat(5000))
  told.write('\u0000')
  expect(lines).toEqual(['red tab turned done', `${'x'.repeat(2000)} …`])
})

test('lines over the limit per second are skipped and counted', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const { lines, told } = hearing()
  vi.advanceTimersByTime(5000)
  for (let n = 0; n < 1434; n++) told.write(`line ${n}`)
  expect(lines).toHaveLength(200)
  vi.advanceTimersByTime(1000)
  expect(lines.slice(199)).toEqual(['line 199', '… 1234 lines skipped'])
  told.write('later')
  expect(lines.at(-1)).toBe('later')
  for (let n = 0; n < 200; n++) told.write('more')
  told.end()
  expect(lines.at(-1)).toBe('… 1 line skipped')
  vi.useRealTimers()
})

test('stderr comes in lines however it is cut, without end it is not kept, and no secret is cut in two', () => {
  const { lines, told } = hearing(['s3cr3t'])
  const stderr = new LineFrames((line) => told.write(line), MAX_LINE_BYTES)
  const bytes = Buffer.from('one é\ntwo\n\nthree')
  for (const byte of bytes) stderr.push(Buffer.of(byte))
  stderr.end()
  expect(lines).toEqual(['one é', 'two', 'three'])
  stderr.push(Buffer.from(`${'s3cr3t'.repeat(2730)}s3cr`))
  for (let n = 0; n < 10; n++) stderr.push(Buffer.from('x'.repeat(1_000_000)))
  stderr.push(Buffer.from('\nnext\n'))
  expect(lines.at(-2)).not.toContain('s3c')
  expect(lines.at(-1)).toBe('next')
})

test('a secret is removed with control characters inside it, and together with one that is part of it', () => {
  const { lines, told } = hearing(['hunter2', 'hunter2-long', 'long-tail'])
  told.write('a hun\u001b[1mter2\u0000 b')
  told.write('a hunter2-long-tail b')
  expect(lines).toEqual(['a [secret] b', 'a [secret] b'])
})
