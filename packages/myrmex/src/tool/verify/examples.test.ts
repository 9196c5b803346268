import { toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { connect } from '../../client/connect.ts'
import { ToolError } from '../../protocol/errors.ts'
import { createServer } from '../../server/server.ts'
import { type ToolDefinition, tool } from '../tool.ts'
import { type ExampleRun, runExamples, safeToRun } from './examples.ts'

const definition = {
  ...toolDefaults,
  name: 'shop.price',
  input: z.object({ article: z.string() }),
  output: z.object({ euros: z.number(), at: z.date() }),
  errors: { NoSuchArticle: 'there is none' },
  run: ({ article }: { article: string }) => {
    if (article === 'none') throw new ToolError('NoSuchArticle', 'There is none.')
    if (article === 'odd') throw new Error('broken')
    return { euros: 4, at: new Date(0) }
  },
}

/** The examples, run through the gates of a real server. */
async function tried(changes: Partial<ToolDefinition>): Promise<ExampleRun> {
  const made = tool({ ...definition, ...changes } as ToolDefinition)
  const safe = safeToRun(made, false)
  const connection = await connect(
    createServer({ name: 'test', version: '1.0.0', tools: typeof safe === 'string' ? [] : [safe], observe: () => {} }),
  )
  try {
    return await runExamples(made, (it, args) => connection.call(it.name, args))
  } finally {
    await connection.close()
  }
}

test('examples that come true find nothing', async () => {
  const examples = [
    { arguments: { article: 'cup' }, data: { euros: 4, at: new Date(0) } },
    { arguments: { article: 'cup' } },
    { arguments: { article: 'none' }, error: 'NoSuchArticle' },
    { arguments: {}, error: 'SchemaError' },
  ]
  expect(await tried({ examples })).toMatchObject({
    mode: 'run',
    reason: null,
    count: 4,
    results: [{ status: 'success' }, { status: 'success' }, { status: 'failure' }, { status: 'failure' }],
    findings: [],
  })
})

test.each([
  [
    'other data',
    { arguments: { article: 'cup' }, data: { euros: 5, at: new Date(0) } },
    'promises {"at":"1970-01-01T00:00:00.000Z","euros":5}, but the call gave {"at":"1970-01-01T00:00:00.000Z","euros":4}.',
  ],
  ['a failure', { arguments: { article: 'none' } }, 'the call failed with NoSuchArticle: There is none.'],
  ['a fault', { arguments: { article: 'odd' } }, 'the call failed with ToolExecutionError: '],
  [
    'success where an error was promised',
    { arguments: { article: 'cup' }, error: 'NoSuchArticle' },
    'promises NoSuchArticle, but the call ended with success.',
  ],
  [
    'another error',
    { arguments: { article: 'odd' }, error: 'NoSuchArticle' },
    'promises NoSuchArticle, but the call failed with ToolExecutionError: ',
  ],
])('%s is found', async (_name, example, message) => {
  const { findings } = await tried({ examples: [{ arguments: { article: 'cup' } }, example] })
  expect(findings).toMatchObject([{ rule: 'example-fails', grade: 'block', where: '/examples/1' }])
  expect(findings[0]?.message).toContain(message)
})

test('a tool that changes state is never run, only its dry run', async () => {
  let ran = 0
  const examples = [{ arguments: { article: 'cup' }, data: { euros: 4, at: new Date(0) } }]
  const run = () => {
    ran++
    return { euros: 4, at: new Date(0) }
  }
  const dryRun = () => ({ euros: 4, at: new Date(0) })
  expect(await tried({ examples, destructive: true, run })).toEqual({
    mode: 'not run',
    reason: 'it changes state, and has neither a dry run nor a scratch state',
    count: 0,
    results: [],
    findings: [],
  })
  expect(await tried({ examples, destructive: true, run, dryRun })).toMatchObject({
    mode: 'dry run',
    count: 1,
    findings: [],
  })
  expect(
    await tried({ examples, destructive: true, run, dryRun: () => ({ euros: 1, at: new Date(0) }) }),
  ).toMatchObject({
    mode: 'dry run',
    findings: [{ rule: 'example-fails' }],
  })
  expect(ran).toBe(0)
})

test('what keeps callers out does not keep a check out', async () => {
  const examples = [{ arguments: { article: 'cup' } }, { arguments: { article: 'cup' } }]
  const limit = { calls: 1, per_ms: 60_000 }
  expect(await tried({ examples, limit, task: 'required' })).toMatchObject({ mode: 'run', count: 2, findings: [] })
})

test('a tool that asks its caller first is not run', async () => {
  const examples = [{ arguments: { article: 'cup' } }]
  expect(await tried({ examples, ask: () => undefined })).toMatchObject({
    mode: 'not run',
    reason: expect.stringContaining('asks'),
  })
})

test('details of an error that are not as declared are found', async () => {
  const details = z.object({ article: z.string() })
  const errors = { NoSuchArticle: { when: 'there is none', details } }
  const examples = [{ arguments: { article: 'none' }, error: 'NoSuchArticle' }]
  expect((await tried({ examples, errors })).findings).toEqual([
    {
      rule: 'wrong-error-details',
      grade: 'block',
      where: '/examples/0',
      message: expect.stringMatching(/^the error_details of NoSuchArticle are not as declared: /),
    },
  ])
  const run = ({ article }: { article: string }) => {
    throw new ToolError('NoSuchArticle', 'There is none.', { article })
  }
  expect((await tried({ examples, errors, run: run as never })).findings).toEqual([])
})
