/** Tests work outside the checkout: what `npm start` keeps there must not change what a test sees. */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { relative } from 'node:path'
import { ROOT } from '@myrmex/testing/paths'
import { expect, test } from 'vitest'

const isOutside = (folder: string): boolean => relative(ROOT, folder).startsWith('..')

test('a test and the processes it starts work in an empty folder outside the checkout', () => {
  expect(isOutside(process.cwd())).toBe(true)
  expect(readdirSync('.')).toEqual([])
  const child = execFileSync(process.execPath, ['-p', 'process.cwd()'], { encoding: 'utf8' }).trim()
  expect(isOutside(child)).toBe(true)
})

test('a process that a test starts has none of the settings of a developer', () => {
  const settings = Object.keys(process.env).filter((name) => name.startsWith('MYRMEX_'))
  const own = [
    ...['MYRMEX_TESTS_FOLDER', 'MYRMEX_LONG', 'MYRMEX_TIME_LIMITS'],
    ...['MYRMEX_TRUSTED_FOLDERS', 'MYRMEX_LEDGER'],
  ]
  expect(settings.filter((name) => !own.includes(name))).toEqual([])
})
