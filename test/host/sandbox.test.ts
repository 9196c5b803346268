/** Children in each sandbox that this machine has: they start, work, end and are restarted as without one. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startReachingHost } from '@myrmex/testing/host/reaching-host'
import { AVAILABLE, available, KINDS, NAMESPACES } from '@myrmex/testing/host/sandbox-kinds'
import { LONG } from '@myrmex/testing/long'
import { ROOT } from '@myrmex/testing/paths'
import { describe, expect, onTestFinished, test } from 'vitest'

interface ServerFacts {
  readonly name: string
  readonly state: string
  readonly pid: number
  readonly restarts: number
  readonly sandbox: string | null
  readonly last_error: { readonly message: string } | null
}

const serversOf = async (host: Awaited<ReturnType<typeof startReachingHost>>): Promise<ServerFacts[]> =>
  (await host.api('/servers')).servers as ServerFacts[]
/** Every process that has this in its environment. */
const marked = (marker: string): string[] =>
  readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'latin1').includes(marker)
    } catch {
      return false
    }
  })

/** The attacks in test/attacks/child-reach.test.ts start children in every kind too. */
describe.runIf(LONG).each([...available(KINDS), 'none'])('sandbox %s', (sandbox) => {
  test('the child has its working directory, its variables and nothing else', async () => {
    const host = await startReachingHost({ sandbox, entry: { env: { GIVEN: 'yes', HOME: '/configured' } } })
    const { cwd, env } = await host.reach<{ cwd: string; env: Record<string, string> }>('self')
    expect(cwd).toBe(host.folder)
    const { USER: _, LOGNAME: __, ...rest } = env
    expect(rest).toEqual({ GIVEN: 'yes', HOME: '/configured', PATH: process.env.PATH })
  })

  test('a child that is killed is restarted, and the reason is reported', async () => {
    const host = await startReachingHost({ sandbox })
    await expect(host.reach('die', { signal: 'SIGKILL' })).rejects.toThrow('killed by SIGKILL')
    await expect.poll(async () => (await serversOf(host))[0]).toMatchObject({ state: 'ready', restarts: 1, sandbox })
    expect(await host.reach('self')).toMatchObject({ cwd: host.folder })
  })

  test('nothing of a child is left when the host is killed', async () => {
    const marker = `MARK_${process.pid}_${sandbox}`
    const host = await startReachingHost({ sandbox, entry: { env: { [marker]: '1' } } })
    const leave = 'setsid sleep 1000 </dev/null >/dev/null 2>&1 & sleep 0.2'
    await host.reach('shell', { script: leave, args: [] })
    expect(marked(marker).length).toBeGreaterThan(1)
    process.kill(host.pid, 'SIGKILL')
    // Without a namespace of processes, one that left its group and lost its parent is not found.
    const left = () => marked(marker).filter((pid) => !/^sleep\0/.test(commandOf(pid)))
    if (sandbox === 'bwrap' || sandbox === 'namespace') await expect.poll(() => marked(marker)).toEqual([])
    else await expect.poll(left).toEqual([])
    for (const pid of marked(marker)) process.kill(Number(pid), 'SIGKILL')
  })

  test('a child that stays has time to end in order after SIGTERM', async () => {
    const note = join(tmpdir(), `sigterm-${process.pid}-${sandbox}`)
    onTestFinished(() => rmSync(note, { force: true }))
    const host = await startReachingHost({ sandbox, entry: { env: { NOTE_SIGTERM: note } } })
    expect(await host.api('/servers/reacher/stop', {})).toMatchObject({ state: 'stopped' })
    expect(readFileSync(note, 'utf8')).toBe('ended in order')
  })

  test('a public server works through npx, found in PATH', async () => {
    const files = { command: 'npx', args: ['mcp-server-filesystem', '.'], cwd: ROOT, trust: 'trusted', sandbox }
    const host = await startReachingHost({ others: { files } })
    await expect
      .poll(async () => (await serversOf(host)).find(({ name }) => name === 'files'))
      .toMatchObject({
        state: 'ready',
        sandbox,
        tools: 14,
      })
  })

  test('a program that does not exist is reported as without a sandbox', async () => {
    const host = await startReachingHost({ sandbox, entry: { command: 'no-such-program' } })
    const message = 'the command no-such-program does not exist. Install it, or give its full path'
    await expect.poll(() => host.said()).toContain(message)
  })
})

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
  } catch {
    return ''
  }
}

test.each(available(NAMESPACES))('in sandbox %s the state folder is the child’s own, and is kept', async (sandbox) => {
  const host = await startReachingHost({ sandbox })
  const file = join(host.folder, '.myrmex/own-notes')
  expect(await host.reach('create', { paths: [file] })).toEqual({ [file]: 'ok' })
  expect(existsSync(file)).toBe(false)
  expect(readFileSync(join(host.folder, '.myrmex/host/children/reacher/own/own-notes'), 'utf8')).toBe('planted')
  await expect(host.reach('die', { signal: 'SIGKILL' })).rejects.toThrow('killed')
  await expect.poll(async () => (await serversOf(host))[0]?.state).toBe('ready')
  expect(await host.reach('read', { paths: [file] })).toEqual({ [file]: 'ok' })
})

test.each(available(NAMESPACES))('sandbox %s of the host holds for every server that sets none', async (kind) => {
  const host = await startReachingHost({ hostSandbox: { kind, write: [] }, others: { open: OPEN } })
  const file = join(host.folder, 'data/file')
  expect(await host.reach('create', { paths: [file] })).toEqual({ [file]: 'EROFS' })
  expect((await serversOf(host)).map(({ name, sandbox }) => [name, sandbox])).toEqual([
    ['reacher', kind],
    ['other', null],
    ['open', 'none'],
  ])
})

const OPEN = { command: 'no-such-program', sandbox: 'none' }

/** Starts a program where nobody can make a user namespace or become another user, as on many locked-down machines. */
const FORBIDDEN = [
  ...['unshare', '--user', '--map-root-user', '/bin/sh', '-c'],
  'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"',
  'sh',
]

test.runIf(AVAILABLE.namespace)(
  'where there is no sandbox, auto starts the child and says so; with write it does not start it',
  async () => {
    const strict = { command: process.execPath, args: ['-e', ''], sandbox: { write: [] } }
    // From its user namespace it cannot see which process outside opened a connection.
    const env = { MYRMEX_LOCAL_USERS: 'all' }
    const host = await startReachingHost({ startedBy: FORBIDDEN, others: { strict }, env })
    expect(await host.reach('self')).toMatchObject({ cwd: host.folder })
    const problem =
      /runs without a sandbox and can read the state folder of the host \(bwrap: .+; namespace: .*unshare failed: No space left on device; user: .+\)/
    expect(host.said()).toMatch(problem)
    expect((await host.api('/host')).problems).toContainEqual(
      expect.objectContaining({
        server: 'reacher',
        error_type: 'PermissionError',
        message: expect.stringMatching(problem),
      }),
    )
    await expect
      .poll(() => host.said())
      .toContain('strict was not started: its sandbox has write, but no kind works here')
    expect((await serversOf(host))[0]).toMatchObject({ state: 'ready', sandbox: 'none' })
  },
)
