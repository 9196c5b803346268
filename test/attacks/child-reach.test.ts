/**
 * The attacker is a stdio server that the host starts, with the rights of the host's user.
 * Tried: to read and change the ledger, its key, the operator's token and the secrets of other servers; to read the host's memory
 * and environment; to signal the host; and to undo the sandbox from inside. It succeeded: a server with `trust: none` read the
 * token in `.myrmex/host/api.json` and trusted itself.
 * Stops them: the sandbox of `myrmex.json`, which every child gets by default. Under each kind that this machine has, every
 * attempt fails. A kind that it does not have refuses to start the server.
 *
 * Attacker: a child process of the same user
 * Attack: reads and changes the ledger, its key, the operator's token and the secrets of other servers, reads the memory of the
 * host, and signals it.
 * Stopped by: the sandbox of `myrmex.json`, which every child gets by default. A kind that the machine does not have refuses to
 * start the server.
 *
 * Attack: calls the host over HTTP on loopback, where no token is configured, and so the trusted tools of other servers, also from a
 * process that outlives its parent.
 * Stopped by: on Linux a connection is `local` only if a process holds it that descends from no child and is in no sandbox.
 *
 * Attack: undoes the sandbox from inside.
 * Stopped by: the mounts belong to a user namespace in which the child has no rights.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOST_MARKER, type ReachingHost, startReachingHost } from '@myrmex/testing/host/reaching-host'
import { AVAILABLE, available, KINDS, NAMESPACES, ORDINARY_USER } from '@myrmex/testing/host/sandbox-kinds'
import { LONG, longTest } from '@myrmex/testing/long'
import { fixturePath } from '@myrmex/testing/paths'
import { describe, expect, test } from 'vitest'

const SECOND = { command: process.execPath, args: [fixturePath('host/reaching-upstream.mjs')] }
const TRUSTED_SECOND = { ...SECOND, trust: 'trusted' }
const REFUSED = /^403 .*a program that this server started.*MYRMEX_TOKEN/

/** Folders of children, trials of the sandbox, and files that are about to be renamed: they may be gone a moment later. */
const PASSING = /\/(children\/|sandbox-trial-)|\.\d+\.[0-9a-f]{12}$/

/** Everything below the state folder of the host, and the file with the other server's secret. */
function secretsOf({ folder }: ReachingHost): string[] {
  const below = (path: string): string[] =>
    readdirSync(path, { withFileTypes: true }).flatMap((one) =>
      one.isDirectory() ? below(join(path, one.name)) : [join(path, one.name)],
    )
  const found = below(join(folder, '.myrmex')).filter((path) => !PASSING.test(path))
  expect(found.map((path) => path.slice(folder.length))).toEqual(
    expect.arrayContaining(['/.myrmex/ledger.db', '/.myrmex/ledger.key', '/.myrmex/host/api.json']),
  )
  return [...found, join(folder, 'private/token')]
}

const withResult = (paths: readonly string[], result: string): Record<string, string> =>
  Object.fromEntries(paths.map((path) => [path, result]))
const successes = (results: Record<string, string>): string[] =>
  Object.keys(results).filter((key) => results[key] === 'ok')

async function expectNothingReached(host: ReachingHost): Promise<void> {
  const { folder, pid } = host
  const secrets = secretsOf(host)
  const before = secrets.map((path) => readFileSync(path))
  expect(successes(await host.reach('read', { paths: secrets }))).toEqual([])
  await host.reach('change', { paths: secrets })
  await host.reach('create', { paths: [...secrets, join(folder, '.myrmex/host/planted')] })
  await host.reach('remove', { paths: secrets })
  expect(readdirSync(join(folder, '.myrmex/host'))).not.toContain('planted')
  // Compared up to the length it had: the host itself goes on writing its logs.
  for (const [index, path] of secrets.entries())
    if (!/ledger\.(db|index)|journal/.test(path))
      expect(readFileSync(path).subarray(0, before[index]?.length)).toEqual(before[index])
  const process = await host.reach<{ marked: string[] }>('process', { pid, marker: HOST_MARKER })
  expect(process).toEqual({
    environ: expect.not.stringMatching('ok'),
    mem: expect.not.stringMatching('ok'),
    root: expect.not.stringMatching('ok'),
    signal: expect.not.stringMatching('ok'),
    marked: [],
  })
  expect(successes(await host.reach('change', { paths: [join(folder, 'myrmex.json')] }))).toEqual([])
}

/** Prints the status of a call of another server's trusted tool, which it makes when the process of its second argument is not its parent. */
const CALL_SECOND = `
  const body = JSON.stringify({ tool_name: 'second.reach', arguments: { how: 'self' } })
  const call = () => fetch(process.argv[1], { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    .then(async (response) => console.log(response.status, await response.text()))
  const begin = () => (process.ppid === Number(process.argv[2]) ? setTimeout(begin, 5) : call())
  begin()`
const AS_CHILD = '"$1" -e "$2" "$3"'
const AS_ORPHAN = `sh -c 'setsid "$1" -e "$2" "$3" "$$" &' sh "$@"`

async function callsFromInside(host: ReachingHost): Promise<{ child: string; orphan: string; outside: string }> {
  const url = new URL('/call', host.url).href
  const args = [process.execPath, CALL_SECOND, url]
  const child = await host.reach<{ stdout: string }>('shell', { script: AS_CHILD, args })
  const orphan = await host.reach<{ stdout: string }>('shell', { script: AS_ORPHAN, args })
  const { uid, gid } = statSync(host.folder)
  const outside = spawnSync(process.execPath, ['-e', CALL_SECOND, url], { uid, gid, encoding: 'utf8' })
  return { child: child.stdout, orphan: orphan.stdout, outside: outside.stdout }
}

/** Who runs the host: this user, and an ordinary one. */
const OPERATORS = [
  ['this user', undefined],
  ...(ORDINARY_USER === undefined ? [] : ([['an ordinary user', ORDINARY_USER]] as const)),
] as const

describe('a child reaches the state folder, the keys and the process of the host', () => {
  longTest('sandbox none documents what a child of the same user can do', async () => {
    const host = await startReachingHost({ sandbox: 'none', others: { second: TRUSTED_SECOND } })
    const secrets = secretsOf(host)
    expect(await host.reach('read', { paths: secrets })).toMatchObject(
      withResult(
        secrets.filter((path) => statSync(path).size > 0),
        'ok',
      ),
    )
    expect(await host.reach('process', { pid: host.pid, marker: HOST_MARKER })).toMatchObject({
      environ: 'ok',
      mem: 'ok',
      signal: 'ok',
      marked: expect.arrayContaining([String(host.pid)]),
    })
    expect(await sandboxOf(host)).toBe('none')
    if (process.platform !== 'linux') return
    // A process that has left the child's tree looks like any other of the user.
    expect(await callsFromInside(host)).toEqual({
      child: expect.stringMatching(REFUSED),
      orphan: expect.stringMatching(/^200 /),
      outside: expect.stringMatching(/^200 /),
    })
    expect(host.said()).toContain('a connection without a token was refused')
  })

  // An ordinary user gets the same sandboxes as root, except for `user`.
  describe.each(LONG ? OPERATORS : OPERATORS.slice(0, 1))('the host is run by %s', (_, uid) => {
    const options = uid === undefined ? {} : { uid }
    const [defaultKind] = available(uid === undefined ? KINDS : NAMESPACES)

    test.runIf(defaultKind !== undefined)('the default reaches nothing', async () => {
      const host = await startReachingHost({ ...options, others: { second: TRUSTED_SECOND } })
      await expectNothingReached(host)
      expect(await sandboxOf(host)).toBe(defaultKind)
      expect(await callsFromInside(host)).toEqual({
        child: expect.stringMatching(REFUSED),
        orphan: expect.stringMatching(REFUSED),
        outside: expect.stringMatching(/^200 /),
      })
    })

    test.runIf(LONG && available(NAMESPACES).length > 0)(
      'a ledger and key in another folder are out of reach too',
      async () => {
        const host = await startReachingHost({ ...options, ledger: 'store/audit.db', ledgerKey: 'keys/audit.key' })
        const paths = ['store/audit.db', 'store/audit.db-wal', 'keys/audit.key'].map((name) => join(host.folder, name))
        expect(paths.map((path) => existsSync(path))).toEqual([true, true, true])
        expect(successes(await host.reach('read', { paths }))).toEqual([])
        expect(await host.reach('list', { paths: [join(host.folder, 'store/audit.journal')] })).toEqual({
          [join(host.folder, 'store/audit.journal')]: 'EMPTY',
        })
      },
    )

    describe.each(KINDS)('sandbox %s', (sandbox) => {
      const isHere = AVAILABLE[sandbox] && !(sandbox === 'user' && uid !== undefined)

      // The short form has tried the default kind above.
      test.runIf(LONG && isHere)('reaches nothing', async () => {
        const host = await startReachingHost({ ...options, sandbox })
        await expectNothingReached(host)
        expect(await sandboxOf(host)).toBe(sandbox)
      })

      test.runIf(!isHere)('refuses to start the server', async () => {
        const host = await startReachingHost({ ...options, sandbox })
        // On a busy machine the host listens before the first attempt has failed.
        await expect.poll(() => host.said()).toContain(`reacher was not started: sandbox is ${sandbox}, but `)
        const { servers } = (await host.api('/servers')) as { servers: Record<string, unknown>[] }
        expect(servers[0]).toMatchObject({
          name: 'reacher',
          state: expect.stringMatching(/^(waiting|starting|cooldown)$/),
          sandbox: null,
          pid: null,
          last_error: { error_type: 'PermissionError' },
        })
        await expect(host.reach('self')).rejects.toThrow('has not been reached yet')
      })
    })

    test.each(LONG ? available(NAMESPACES) : available(NAMESPACES).slice(0, 1))(
      'nothing undoes sandbox %s from inside',
      async (sandbox) => {
        const host = await startReachingHost({ ...options, sandbox })
        const state = join(host.folder, '.myrmex')
        for (const script of ESCAPES) {
          const { stdout } = await host.reach<{ stdout: string }>('shell', { script, args: [state, String(host.pid)] })
          expect(`${script}: ${stdout}`).toBe(`${script}: `)
        }
      },
    )

    test.runIf(LONG).each(available(NAMESPACES))('with write, sandbox %s changes nothing else', async (kind) => {
      const host = await startReachingHost({ ...options, sandbox: { kind, write: ['data'], network: false } })
      const { folder } = host
      const inside = [join(folder, 'data/kept'), '/tmp/only-for-this-child', '/dev/shm/only-for-this-child']
      expect(await host.reach('create', { paths: inside })).toEqual(withResult(inside, 'ok'))
      expect(readFileSync(join(folder, 'data/kept'), 'utf8')).toBe('planted')
      expect(inside.slice(1).filter((path) => existsSync(path))).toEqual([])
      // Files that programs run or read later, as the same user.
      const outside = ['.bashrc', 'myrmex.policy.json', 'private/more'].map((name) => join(folder, name))
      expect(successes(await host.reach('create', { paths: outside }))).toEqual([])
      expect(outside.filter((path) => existsSync(path))).toEqual([])
      const moved = await host.reach<{ stdout: string }>('shell', {
        script: 'mv "$1" "$1.old" 2>/dev/null && echo moved; mv "$1/myrmex.json" "$1/data/" 2>/dev/null && echo moved',
        args: [folder],
      })
      expect(moved.stdout).toBe('')
      await expectNothingReached(host)
      // No network: not even the host's own port.
      const url = new URL(
        String((JSON.parse(readFileSync(join(folder, '.myrmex/host/api.json'), 'utf8')) as { url: string }).url),
      )
      const script =
        "\"$2\" -e \"require('node:net').connect($1, '127.0.0.1', () => console.log('connected')).on('error', () => {})\""
      expect(await host.reach('shell', { script, args: [url.port, process.execPath] })).toMatchObject({ stdout: '' })
    })
  })

  test.runIf(LONG).each(available(NAMESPACES))(
    'a replaced secret is hidden again after SIGHUP: sandbox %s',
    async (sandbox) => {
      const host = await startReachingHost({ sandbox })
      const [file, next] = [join(host.folder, 'private/token'), join(host.folder, 'private/next')]
      writeFileSync(next, 'another-secret-in-a-file\n', { mode: 0o600 })
      renameSync(next, file)
      process.kill(host.pid, 'SIGHUP')
      await expect.poll(() => host.said()).toContain('was reloaded')
      await expect.poll(async () => successes(await host.reach('read', { paths: [file] }))).toEqual([])
    },
  )

  test.runIf(LONG).each([...available(KINDS), 'none'])(
    'a child inherits no descriptor of the host: sandbox %s',
    async (sandbox) => {
      const host = await startReachingHost({ sandbox })
      const script = 'for fd in /proc/self/fd/*; do readlink "$fd"; done'
      const { stdout } = await host.reach<{ stdout: string }>('shell', { script, args: [] })
      const open = stdout.trim().split('\n')
      expect(open.filter((target) => /ledger|\.myrmex|key|journal|anon_inode|TCP/.test(target))).toEqual([])
      const own = Object.values(await host.reach('descriptors'))
      expect(own.filter((target) => target.includes(host.folder))).toEqual([])
      // stdin, stdout and stderr are the only ones that it did not open itself.
      const sockets = new Set(own.filter((target) => target.startsWith('socket:')))
      expect(sockets.size).toBe(3)
    },
  )

  test.runIf(LONG && AVAILABLE.user)('another user has a home of its own, and no groups', async () => {
    const host = await startReachingHost({ sandbox: 'user', others: { second: { ...SECOND, sandbox: 'user' } } })
    const { uid, gid, groups, env } = await host.reach<ChildFacts>('self')
    expect([uid, ...groups]).toEqual([gid, gid])
    expect(uid).toBeGreaterThanOrEqual(61_184)
    expect(statSync(String(env.HOME))).toMatchObject({ uid, mode: 0o40700 })
    const homes = readdirSync(join(host.folder, '.myrmex-homes'))
    expect(homes.sort()).toEqual(['reacher', 'second'])
    const other = join(host.folder, '.myrmex-homes/second')
    expect(statSync(other).uid).not.toBe(uid)
    expect(await host.reach('list', { paths: [other] })).toEqual({ [other]: 'EACCES' })
  })

  test.runIf(LONG && AVAILABLE.user)('another user that could read the state folder is not used', async () => {
    const host = await startReachingHost({ sandbox: { kind: 'user', user: 'nobody' }, ledger: 'open.db' })
    chmodSync(join(host.folder, 'open.db'), 0o644)
    await expect(host.reach('die', { signal: 'SIGKILL' })).rejects.toThrow('killed by SIGKILL')
    await expect.poll(() => host.said()).toMatch(/user nobody can reach .+open\.db/)
  })
})

interface ChildFacts {
  readonly uid: number
  readonly gid: number
  readonly groups: readonly number[]
  readonly env: Readonly<Record<string, string>>
}

/** Each prints something only if it succeeds. $1 is the state folder, $2 the process of the host. */
const FIND = '[ ! -s "$1/ledger.key" ] || echo found'
const ESCAPES = [
  FIND,
  `umount "$1" 2>/dev/null; ${FIND}`,
  `umount -l "$1" 2>/dev/null; ${FIND}`,
  `unshare -m sh -c 'umount -l "$1"; ${FIND}' sh "$1" 2>/dev/null`,
  `unshare -Urm sh -c 'umount -l "$1"; ${FIND}' sh "$1" 2>/dev/null`,
  `unshare -Urm sh -c 'mount --bind "\${1%/*}" /mnt && [ -s /mnt/.myrmex/ledger.key ] && echo found' sh "$1" 2>/dev/null`,
  `unshare -Urm sh -c 'mount --make-rshared /; mount -t overlay o -o "lowerdir=\${1%/*}:/mnt" /mnt && [ -s /mnt/.myrmex/ledger.key ] && echo found' sh "$1" 2>/dev/null`,
  `nsenter --target 1 --mount sh -c '${FIND}' sh "$1" 2>/dev/null`,
  'for pid in 1 "$2"; do [ ! -s "/proc/$pid/root$1/ledger.key" ] || echo found; done',
  'for pid in /proc/[0-9]*; do [ ! -s "$pid/cwd/.myrmex/ledger.key" ] || echo "found $pid"; done',
  // The device that has the file system, and the terminals of the operator.
  'find /dev -type b; ls /dev/pts | grep "[0-9]"',
  // Files through which root changes the machine.
  'for path in /proc/sys/kernel/core_pattern /proc/sysrq-trigger /sys/kernel/uevent_helper; do (: >> "$path") 2>/dev/null && echo "$path"; done',
  // The sockets of the user's session.
  'find /run/user -mindepth 1 2>/dev/null',
  // Its own folder leads nowhere: the host never follows links in it.
  'kill -KILL 1 2>/dev/null; kill -KILL -- "-$2" 2>/dev/null',
]

async function sandboxOf(host: ReachingHost): Promise<unknown> {
  const { servers } = (await host.api('/servers')) as { servers: { name: string; sandbox: unknown }[] }
  return servers.find(({ name }) => name === 'reacher')?.sandbox
}
