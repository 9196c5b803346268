import { expect, test } from 'vitest'
import { TOOL_NAME_PATTERN } from '../../protocol/envelope.ts'
import { toolNames } from './tool-names.ts'

const names = (...listed: string[]): string[] =>
  toolNames(
    'srv',
    listed.map((name) => ({ name })),
  )

test('names in another alphabet are worded', () => {
  expect(names('createIssue', 'get-sum', 'a.b', 'Read File')).toEqual([
    'srv.create_issue',
    'srv.get_sum',
    'srv.a.b',
    'srv.read_file',
  ])
})

test('of those that come to the same the one that is called so keeps the name, in whatever order they are listed', () => {
  const [dashed = '', plain, camel = ''] = names('read-file', 'read_file', 'readFile')
  expect(plain).toBe('srv.read_file')
  expect(dashed).toMatch(/^srv\.read_file_[0-9a-f]{8}$/)
  expect(new Set([dashed, plain, camel]).size).toBe(3)
  expect(names('readFile', 'read_file', 'read-file')).toEqual([camel, plain, dashed])
  for (const name of names('read-file', 'readFile')) expect(name).toMatch(/_[0-9a-f]{8}$/)
})

test('whatever a stranger calls a tool, it has a name here', () => {
  for (const name of ['', '日本語', '...', '_', '__proto__', 'x'.repeat(500), '💥.💥', 'a\nb', '-']) {
    const [made = ''] = names(name)
    expect(made).toMatch(TOOL_NAME_PATTERN)
    expect(made.length).toBeLessThanOrEqual(128)
    expect(made.startsWith('srv.')).toBe(true)
  }
  expect(new Set(names('日本語', '中文')).size).toBe(2)
})

test('a server that says its names in full cannot pass a tool off as another’s', () => {
  const claims = (name: string): JsonName => ({ name: 'x', _meta: { 'myrmex/name': name } })
  expect(toolNames('srv', [claims('srv.pay')])).toEqual(['srv.pay'])
  expect(toolNames('srv', [claims('bank.pay')])).toEqual(['srv.bank.pay'])
  expect(toolNames('srv', [claims('Bank Pay')])).toEqual(['srv.x'])
})

type JsonName = { name: string; _meta: { 'myrmex/name': string } }
