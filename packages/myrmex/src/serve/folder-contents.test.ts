/** What a person reads about a folder before trusting it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { describeContents } from './folder-contents.ts'

test.runIf(process.platform !== 'win32')('names of files cannot hide or imitate a line on the screen', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'contents-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const hidden = '\u001b[2K\u001b[1A\nall is well'
  mkdirSync(join(folder, '.myrmex', hidden), { recursive: true })
  writeFileSync(join(folder, '.myrmex', hidden, 'ledger.db'), '')
  mkdirSync(join(folder, 'node_modules', `myrmex-${hidden}`), { recursive: true })
  const lines = await describeContents(folder)
  expect(lines).toEqual([
    expect.stringMatching(/^\.myrmex.*all is well.*ledger\.db: it cannot be read/),
    expect.stringMatching(/^node_modules.myrmex-.*all is well$/),
  ])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones meant
  for (const line of lines) expect(line).not.toMatch(/[\u0000-\u001f]/)
})
