import { expect, test } from 'vitest'
import { settingsForTool } from './tool-settings.ts'

const of = (rules: Parameters<typeof settingsForTool>[0], name: string, original = name) =>
  settingsForTool(rules, { server: 'srv', name: `srv.${name}`, original })

test('of the patterns that fit the first holds', () => {
  const settings = [
    ['delete_all', { enabled: false }],
    ['delete_*', { destructive: true }],
    ['*_file*', { timeoutMs: 5 }],
    ['a*a', { timeoutMs: 7 }],
  ] as const
  expect(of(settings, 'delete_all')).toEqual({ enabled: false })
  expect(of(settings, 'delete_file')).toEqual({ destructive: true })
  expect(of(settings, 'read_file_now')).toEqual({ timeoutMs: 5 })
  expect(of(settings, 'aba')).toEqual({ timeoutMs: 7 })
  for (const none of ['a', 'delete', 'xdelete_', 'file']) expect(of(settings, none)).toEqual({})
})

test('the canonical name counts; the spelling of the server only restricts', () => {
  const settings = [
    ['srv.get_it', { destructive: false }],
    ['getI*', { destructive: true, timeoutMs: 5 }],
    ['put*', { destructive: false, timeoutMs: 6 }],
  ] as const
  expect(of(settings, 'get_it')).toEqual({ destructive: false })
  expect(of(settings, 'get_it', 'getIt')).toEqual({ destructive: true, timeoutMs: 5 })
  expect(of(settings, 'xput', 'putX')).toEqual({ timeoutMs: 6 })
})

test('the last part of a longer name only restricts', () => {
  expect(of([['read', { destructive: false }]], 'wipe.read')).toEqual({})
  expect(of([['read', { enabled: false }]], 'wipe.read')).toEqual({ enabled: false })
})
