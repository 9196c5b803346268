/**
 * Attacker: a child process of the same user
 * Attack: reads a file through a descriptor that the host inherited from the shell or service that started it.
 * Stopped by: a host closes the descriptors that it inherited, except stdin, stdout and stderr, before it starts a child.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@myrmex/testing/paths'
import { expect, onTestFinished, test } from 'vitest'

const MODULE = join(ROOT, 'packages/myrmex/src/host/child/close-inherited.ts')
/** Node hides low descriptors from its children by itself. sh may know one-digit descriptors only. */
const DESCRIPTOR = 60
const LOOK = `require('node:fs').readdirSync('/proc/self/fd').includes('${DESCRIPTOR}')`

test.runIf(existsSync('/proc/self/fdinfo') && existsSync('/bin/bash'))('a child gets no descriptor of the host', () => {
  const folder = mkdtempSync(join(process.cwd(), 'descriptors-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const secret = join(folder, 'secret')
  writeFileSync(secret, 'a secret of the host')
  const child = `require('node:child_process').spawnSync(process.execPath, ['-p', ${JSON.stringify(LOOK)}]).stdout.toString().trim()`
  const host = `
    import { createRequire } from 'node:module'
    const require = createRequire(import.meta.url)
    const before = ${child}
    const { closeInherited } = await import(${JSON.stringify(MODULE)})
    closeInherited()
    const [socket, file] = [require('node:net').createServer().listen(0, '127.0.0.1'), require('node:fs').openSync('/dev/null')]
    console.log(before, ${child}, file > 2)
    socket.close()`
  const line = `exec ${DESCRIPTOR}< "$1"; exec "$2" --input-type=module -e "$3"`
  const printed = execFileSync('/bin/bash', ['-c', line, 'bash', secret, process.execPath, host], { encoding: 'utf8' })
  expect(printed.trim()).toBe('true false true')
})
