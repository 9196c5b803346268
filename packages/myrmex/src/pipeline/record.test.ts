import { expect, test } from 'vitest'
import { add, behave, echo } from '../../../../test/tools.ts'
import type { CallLine } from '../ledger/audit/line.ts'
import { plainCaller } from '../server/exchange.ts'
import { LOCAL } from '../tool/context.ts'
import { Registry } from '../tool/registry.ts'
import { MemoryRecorder } from './memory-recorder.ts'
import { Pipeline } from './pipeline.ts'

const caller = plainCaller('http', LOCAL)

test('one line a call, whatever came of it', async () => {
  const recorder = new MemoryRecorder()
  const pipeline = new Pipeline(new Registry([add, echo, behave]), { recorder, observe: () => {} })
  await pipeline.call(caller, 'math.add', { a: 1, b: 2 })
  await pipeline.call(caller, 'math.add', { a: 1 })
  await pipeline.call(caller, 'text.echo', { text: 'x' }, { 'myrmex/context': { run: 'r1', step: 's2' } })
  await pipeline.call(caller, 'test.behave', { how: 'throw' })
  expect(recorder.lines()).toMatchObject([
    { tool: 'math.add', version: '1.0.0', outcome: 'success', error_type: null, transport: 'http', principal: 'local' },
    { tool: 'math.add', outcome: 'failure', error_type: 'SchemaError' },
    { tool: 'text.echo', outcome: 'success', run: 'r1', step: 's2' },
    { tool: 'test.behave', outcome: 'failure', error_type: 'ToolExecutionError' },
  ])
  for (const line of recorder.lines()) expect(line.duration_ms).toBeGreaterThanOrEqual(0)
})

test('the answer waits until the line is kept', async () => {
  let keep: () => void = () => {}
  const lines: CallLine[] = []
  const recorder = {
    record: (line: CallLine) => new Promise<void>((done) => (keep = () => done(void lines.push(line)))),
  }
  const answered = Promise.resolve(
    new Pipeline(new Registry([add]), { recorder }).call(caller, 'math.add', { a: 1, b: 2 }),
  )
  let early = true
  answered.then(() => {
    early = lines.length === 0
  })
  await new Promise(setImmediate)
  keep()
  expect(await answered).toMatchObject({ status: 'success' })
  expect(early).toBe(false)
})

test.each([
  [
    'throws',
    () => {
      throw new Error('disk full')
    },
  ],
  ['rejects', () => Promise.reject(new Error('disk full'))],
])('a call that cannot be recorded fails, when the recorder %s', async (_how, record) => {
  const ended = await new Pipeline(new Registry([add]), { recorder: { record } }).call(caller, 'math.add', {
    a: 1,
    b: 2,
  })
  expect(ended).toMatchObject({ status: 'failure', data: null, error: { error_type: 'UnavailableError' } })
})

test('memory keeps the newest lines only', async () => {
  const recorder = new MemoryRecorder(3)
  const pipeline = new Pipeline(new Registry([add]), { recorder })
  for (let i = 0; i < 5; i++)
    await pipeline.call(caller, 'math.add', { a: i, b: 0 }, { 'myrmex/context': { run: `${i}` } })
  expect(recorder.count).toBe(5)
  expect(recorder.lines().map(({ run }) => run)).toEqual(['2', '3', '4'])
})
