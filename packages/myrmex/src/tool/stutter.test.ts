import { expect, test } from 'vitest'
import { withoutServerName, withoutStutter } from './stutter.ts'

test.each([
  ['git', 'git_add', 'add'],
  ['git', 'git.git_add', 'add'],
  ['my_files', 'my_files_read', 'read'],
  ['my_files', 'myfiles_read', 'read'],
  ['github', 'git_hub_search', 'search'],
  ['files', 'file_read', 'read'],
  ['note', 'notes_list', 'list'],
  ['git', 'git_diff_staged', 'diff_staged'],
  ['git', 'github_add', undefined],
  ['git', 'digit_add', undefined],
  ['git', 'git', undefined],
  ['git', 'git_', undefined],
  ['git', 'git_2', undefined],
  ['git', 'add_git', undefined],
  ['a', 'as_user', undefined],
])('of the server %s, %s is %s', (server, word, rest) => {
  expect(withoutServerName(server, word)).toBe(rest)
})

test('both spellings of a canonical name give the same', () => {
  expect(withoutStutter('git.git_add')).toBe('git.add')
  expect(withoutStutter('git.add')).toBe('git.add')
  expect(withoutStutter('resource')).toBe('resource')
})
