import { expect, test } from 'vitest'
import { settingsForTool } from './tool-settings.ts'

test('of the patterns that fit the first holds', () => {
  const settings = [
    ['delete_all', { enabled: false }],
    ['delete_*', { destructive: true }],
    ['*_file*', { timeoutMs: 5 }],
    ['a*a', { timeoutMs: 7 }],
  ] as const
  expect(settingsForTool(settings, 'delete_all')).toEqual({ enabled: false })
  expect(settingsForTool(settings, 'delete_file')).toEqual({ destructive: true })
  expect(settingsForTool(settings, 'read_file_now')).toEqual({ timeoutMs: 5 })
  expect(settingsForTool(settings, 'aba')).toEqual({ timeoutMs: 7 })
  for (const none of ['a', 'delete', 'xdelete_', 'file', 'delete.all'])
    expect(settingsForTool(settings, none)).toEqual({})
})
