import { describe, expect, test } from 'vitest'
import { TOOL_NAME_PATTERN } from '../../protocol/envelope.ts'
import { toolNames } from './tool-names.ts'

const names = (...listed: string[]): string[] =>
  toolNames(
    'srv',
    listed.map((name) => ({ name })),
  ).map(({ name }) => name)

test('names in another alphabet are worded', () => {
  expect(names('createIssue', 'get-sum', 'a.b', 'Read File')).toEqual([
    'srv.create_issue',
    'srv.get_sum',
    'srv.a.b',
    'srv.read_file',
  ])
})

test('of those that come to the same the one that is called so keeps the name, otherwise the first', () => {
  const owners = (...listed: string[]) =>
    toolNames(
      'srv',
      listed.map((name) => ({ name })),
    ).map(({ name, takenBy }) => [name, takenBy])
  expect(owners('read-file', 'read_file', 'readFile')).toEqual([
    ['srv.read_file', 'read_file'],
    ['srv.read_file', undefined],
    ['srv.read_file', 'read_file'],
  ])
  expect(owners('readFile', 'read-file')).toEqual([
    ['srv.read_file', undefined],
    ['srv.read_file', 'readFile'],
  ])
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
  const named = (claim: string) => toolNames('srv', [claims(claim)])[0]?.name
  expect(named('srv.pay')).toBe('srv.pay')
  expect(named('bank.pay')).toBe('srv.bank.pay')
  expect(named('Bank Pay')).toBe('srv.x')
})

type JsonName = { name: string; _meta: { 'myrmex/name': string } }

describe('a tool that repeats the name of its server', () => {
  const named = (server: string, ...listed: string[]) =>
    toolNames(
      server,
      listed.map((name) => ({ name })),
      () => false,
    ).map(({ name, alias }) => [name, alias])

  test.each([
    ['git', 'git_add'],
    ['git', 'Git.gitAdd'],
    ['git', 'git-add'],
    ['git', 'gitAdd'],
    ['my_files', 'my-files-add'],
    ['my_files', 'myFilesAdd'],
    ['files', 'file_add'],
  ])('of %s, %s has the name without it', (server, original) => {
    expect(named(server, original)[0]?.[0]).toBe(`${server}.add`)
  })

  test('is found by the long name as well', () => {
    expect(named('git', 'git_add')).toEqual([['git.add', 'git.git_add']])
  })

  test('keeps the long name, as does the other, if another tool has the short one', () => {
    expect(named('git', 'git_add', 'add', 'git_log')).toEqual([
      ['git.git_add', undefined],
      ['git.add', undefined],
      ['git.log', 'git.git_log'],
    ])
    expect(named('files', 'file_add', 'files_add')).toEqual([
      ['files.file_add', undefined],
      ['files.files_add', undefined],
    ])
  })

  test('keeps the long name if the ledger knows it: decisions about it stay valid', () => {
    const listed = [{ name: 'git_add' }, { name: 'git_log' }]
    const known = toolNames('git', listed, (name) => name === 'git.git_log')
    expect(known.map(({ name, alias }) => [name, alias])).toEqual([
      ['git.git_add', 'git.add'],
      ['git.git_log', 'git.log'],
    ])
  })
})
