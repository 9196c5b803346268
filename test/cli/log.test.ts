/** The log of real processes: what reaches stderr, what never does, and that nothing reaches stdout. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const LOG = new URL('../../packages/myrmex/src/server/log.ts', import.meta.url).href

interface Ran {
  code: number
  stdout: string
  lines: Record<string, unknown>[]
}

async function run(script: string, env: Record<string, string> = {}): Promise<Ran> {
  const code = `import { log } from ${JSON.stringify(LOG)}\n${script}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    env: { ...process.env, MYRMEX_LOG_LEVEL: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const lines = stderr.split('\n').filter((line) => line !== '')
  return { code: exit, stdout, lines: lines.map((line) => JSON.parse(line)) }
}

const EVERY_LEVEL = `for (const level of ['debug', 'info', 'warn', 'error']) log[level]({ level_is: level }, 'said')`

test('a line is JSON on stderr with level, time, process, fields and text', async () => {
  const { stdout, lines } = await run(`log.warn({ who: 'ci', n: 7 }, 'something %s odd')`, { MYRMEX_LOG_LEVEL: 'info' })
  expect(stdout).toBe('')
  expect(lines).toEqual([
    { level: 'warn', time: expect.any(String), pid: expect.any(Number), who: 'ci', n: 7, msg: 'something %s odd' },
  ])
  expect(Date.parse(String(lines[0]?.time))).toBeGreaterThan(Date.now() - 60_000)
})

test.each([
  ['debug', ['debug', 'info', 'warn', 'error']],
  ['info', ['info', 'warn', 'error']],
  ['WARN', ['warn', 'error']],
  ['error', ['error']],
  ['silent', []],
])('at %s it says %j', async (level, said) => {
  const { lines } = await run(EVERY_LEVEL, { MYRMEX_LOG_LEVEL: level })
  expect(lines.map((line) => line.level_is)).toEqual(said)
})

test('an unknown level is reported once, and info is used', async () => {
  const { lines } = await run(EVERY_LEVEL, { MYRMEX_LOG_LEVEL: 'loud' })
  expect(lines[0]).toMatchObject({ level: 'warn', given: 'loud', msg: expect.stringContaining('MYRMEX_LOG_LEVEL') })
  expect(lines.slice(1).map((line) => line.level_is)).toEqual(['info', 'warn', 'error'])
})

test('secrets are left out by the name of their field, however deep', async () => {
  const { lines } = await run(
    `log.error({ authorization: 'Bearer hunter2', headers: { Authorization: 'hunter2', 'X-Api-Key': 'hunter2' },
       list: [{ access_token: 'hunter2', dbPassword: 'hunter2', client_secret: ['hunter2'] }], kept: 'yes' }, 'x')`,
    { MYRMEX_LOG_LEVEL: 'info' },
  )
  expect(JSON.stringify(lines)).not.toContain('hunter2')
  expect(lines[0]).toMatchObject({ authorization: '[secret]', kept: 'yes', list: [{ access_token: '[secret]' }] })
})

test('whatever was thrown can be written', async () => {
  const { code, lines } = await run(
    `const loop = { name: 'loop' }; loop.loop = loop
     const deep = {}; let at = deep; for (let i = 0; i < 1e5; i++) at = at.x = {}
     class Odd extends Error { get message() { throw new Error('no message') } }
     const thrown = [undefined, null, 7n, NaN, 'text', Symbol('s'), () => {}, Object.create(null), loop, deep, new Odd(),
       new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 }, getPrototypeOf() { throw 3 } }),
       { get bad() { throw 4 } }, { toJSON() { throw 5 } }, new Error('plain', { cause: new Error('under it') }), 'x'.repeat(1e6)]
     for (const [index, one] of thrown.entries()) log.error({ index, thrown: one }, 'thrown')`,
    { MYRMEX_LOG_LEVEL: 'info' },
  )
  expect(code).toBe(0)
  expect(lines.map((line) => line.index)).toEqual(Array.from({ length: 16 }, (_, index) => index))
  expect(lines[8]).toMatchObject({ thrown: { name: 'loop', loop: '[circular]' } })
  expect(lines[14]).toMatchObject({
    thrown: { type: 'Error', message: 'plain', stack: expect.stringContaining('at '), cause: { message: 'under it' } },
  })
  expect(JSON.stringify(lines[15]).length).toBeLessThan(20_000)
})

test('a stderr that is full, closed or gone harms nobody', async () => {
  const script = `import { log } from ${JSON.stringify(LOG)}
    for (let i = 0; i < 1000; i++) log.error({ i, pad: 'x'.repeat(1000) }, 'line')
    setTimeout(() => process.stdout.write('alive'), 20)`
  const start = (stderr: 'pipe' | number) =>
    spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, MYRMEX_LOG_LEVEL: 'info' },
      stdio: ['ignore', 'pipe', stderr],
    })
  const gone = start('pipe')
  gone.stderr?.destroy()
  const full = start(openSync('/dev/full', 'w'))
  expect(await Promise.all([text(gone.stdout as never), text(full.stdout as never)])).toEqual(['alive', 'alive'])
})

test('a server that has nothing to log loads no logger', async () => {
  const { stdout } = await run(
    `log.debug({}, 'not wanted')
     const { createRequire } = await import('node:module')
     const loaded = Object.keys(createRequire(${JSON.stringify(LOG)}).cache).some((file) => file.includes('/pino/'))
     process.stdout.write(String(loaded))`,
    { MYRMEX_LOG_LEVEL: 'info' },
  )
  expect(stdout).toBe('false')
})
