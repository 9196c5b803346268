/**
 * A server on stdio starts with only those parts of Node that it needs: clients start one for each session. An import of `node:crypto` or
 * `node:zlib` in any file that it loads would bring in WebCrypto or Node's archives (protocol/builtin.ts).
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLI, fixturePath } from '@myrmex/testing/paths'
import { expect, test } from 'vitest'

const UNUSED = [
  'internal/crypto/webcrypto',
  'internal/deps/undici/undici',
  'zlib',
  'internal/zip',
  'http',
  'tls',
  'dns',
]

test('a server on stdio loads no part of Node that it does not use', () => {
  const folder = mkdtempSync(join(process.cwd(), 'start-'))
  const [hook, list] = [join(folder, 'hook.cjs'), join(folder, 'list')]
  writeFileSync(
    hook,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(list)}, process.moduleLoadList.join('\\n')))`,
  )
  execFileSync(process.execPath, ['--require', hook, CLI, 'serve', fixturePath('all.tools.ts')], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  const loaded = new Set(readFileSync(list, 'utf8').split('\n'))
  expect(loaded).toContain('NativeModule fs')
  expect(UNUSED.filter((name) => loaded.has(`NativeModule ${name}`))).toEqual([])
})
