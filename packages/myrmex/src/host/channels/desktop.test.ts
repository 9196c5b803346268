/** A desktop is not there in a test: a program of the same name in PATH keeps what it is started with. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Approval } from '../../ledger/decisions/approvals.ts'
import { desktopChannel } from './desktop.ts'
import type { Notice } from './notice.ts'

function programs(name: string): { arguments: () => string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-desktop-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, name), `#!/bin/sh\nprintf '%s\\0' "$@" > "${folder}/arguments"\n`)
  chmodSync(join(folder, name), 0o755)
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  return { arguments: () => readFileSync(join(folder, 'arguments'), 'utf8').split('\0').slice(0, -1) }
}

const approval = {
  id: 'abcdefghjk',
  tool: 'shop.sell',
  version: '1.0.0',
  principal: '--hint=x $(touch /tmp/x) <b>',
  reason: 'it changes state',
  args: '{"note":"\\" & do shell script"}',
} as Approval
const notice: Notice = { kind: 'approval', approval, link: 'https://host.example/approvals/abcdefghjk' }

test('on Linux the texts are arguments without markup, and never options', async () => {
  const started = programs('notify-send')
  await desktopChannel(true, 'linux').send(notice, 'id')
  const [app, separator, title, text, ...more] = started.arguments()
  expect([app, separator, title, more]).toEqual(['--app-name=Myrmex', '--', 'shop.sell waits for approval', []])
  expect(text?.split('\n')).toEqual([
    'shop.sell 1.0.0 for --hint=x $(touch /tmp/x) &lt;b&gt;',
    'Why: it changes state',
    'Arguments: {"note":"\\" &amp; do shell script"}',
    'Decide: npx myrmex approvals show abcdefghjk',
    'Open: https://host.example/approvals/abcdefghjk',
    '',
  ])
})

test('on macOS the texts are arguments of the script, and never a part of it', async () => {
  const started = programs('osascript')
  await desktopChannel(false, 'darwin').send(notice, 'id')
  const given = started.arguments()
  expect(given.filter((_one, index) => given[index - 1] === '-e').join('\n')).not.toContain('shop')
  expect(given.at(-2)).toBe('shop.sell waits for approval')
  expect(given.at(-1)).toContain('for --hint=x $(touch /tmp/x) <b>')
  expect(given.at(-1)).not.toContain('shell script')
})

test('elsewhere, and without the program, it says so', async () => {
  await expect(desktopChannel(true, 'aix').send(notice, 'id')).rejects.toThrow('are not supported on aix')
  vi.stubEnv('PATH', '/nowhere')
  onTestFinished(() => void vi.unstubAllEnvs())
  await expect(desktopChannel(true, 'linux').send(notice, 'id')).rejects.toThrow('there is no program notify-send')
})
