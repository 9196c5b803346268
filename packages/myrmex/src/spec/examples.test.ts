import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { MemoryRecorder } from '../pipeline/audit/memory-recorder.ts'
import { ToolError } from '../protocol/errors.ts'
import type { Module } from '../tool/discovery/module.ts'
import { scratch } from '../tool/discovery/scratch.ts'
import { tool } from '../tool/tool.ts'
import { tryExamples } from './examples.ts'

const REAL = '/nowhere/real-stock'
let store = REAL
const folders: string[] = []

/** A shop whose stock is a file; in the scratch state, one of two cups. */
const state = scratch((folder) => {
  folders.push(folder)
  store = join(folder, 'stock')
  writeFileSync(store, '2')
  return () => {
    store = REAL
  }
})

const sell = tool({
  ...toolDefaults,
  name: 'shop.sell',
  destructive: true,
  idempotent: false,
  errors: { SoldOut: 'there are not enough' },
  input: z.object({ count: z.int() }),
  output: z.object({ left: z.int() }),
  examples: [
    { arguments: { count: 2 }, data: { left: 0 } },
    { arguments: { count: 2 }, data: { left: 0 } },
    { arguments: { count: 3 }, error: 'SoldOut' },
  ],
  run: ({ count }) => {
    const left = Number(readFileSync(store, 'utf8')) - count
    if (left < 0) throw new ToolError('SoldOut', 'There are not enough.')
    writeFileSync(store, String(left))
    return { left }
  },
})

const module = (changes: Partial<Module>): Module => ({
  file: 'shop.tools.ts',
  agents: [],
  tools: [sell],
  resources: [],
  prompts: [],
  scratch: undefined,
  ...changes,
})

test('a tool that changes state is executed in the scratch state of its module, a new one for every example', async () => {
  const recorder = new MemoryRecorder()
  const tried = (await tryExamples([module({ scratch: state })], { recorder })).get(sell)
  expect(tried).toMatchObject({ mode: 'scratch state', reason: null, count: 3, findings: [] })
  expect(tried?.results.map(({ status, data }) => [status, data])).toEqual([
    ['success', { left: 0 }],
    ['success', { left: 0 }],
    ['failure', null],
  ])
  expect(recorder.records()).toHaveLength(3)
  expect(store).toBe(REAL)
  expect(folders).toHaveLength(3)
  for (const folder of folders) expect(existsSync(folder)).toBe(false)
})

test('without one it is not touched', async () => {
  const tried = (await tryExamples([module({})])).get(sell)
  expect(tried).toMatchObject({ mode: 'not run', count: 0 })
})

test('a state that cannot be made fails the check and leaves nothing behind', async () => {
  let made = ''
  const broken = scratch((folder) => {
    made = folder
    throw new Error('no room')
  })
  await expect(tryExamples([module({ scratch: broken })])).rejects.toThrow('no room')
  expect(made).not.toBe('')
  expect(existsSync(made)).toBe(false)
})
