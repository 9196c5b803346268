/** `myrmex host login` and `logout` as an operator types them: processes of their own, and a browser that follows links. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inTerminal, PTY, PTY_NOTE } from '@myrmex/testing/cli/pty'
import { StartedCommand } from '@myrmex/testing/cli/run-command'
import { runToEnd } from '@myrmex/testing/cli/run-to-end'
import { CLI } from '@myrmex/testing/paths'
import { Browser } from '@myrmex/testing/sign-in/browser'
import { type ProtectedServer, protectedServer } from '@myrmex/testing/sign-in/protected-server'
import { type SignInIssuer, signInIssuer } from '@myrmex/testing/sign-in/sign-in-issuer'
import { openLedger } from 'myrmex'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { lockLedger } from '../../packages/myrmex/src/ledger/operator/operator-admin.ts'

async function prepare(host?: object) {
  const issuer = await signInIssuer()
  const server = await protectedServer('sdk2', issuer)
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-login-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  writeFileSync(
    join(folder, 'myrmex.json'),
    JSON.stringify({ mcpServers: { notes: { url: server.url, trust: 'verified' } }, ...(host && { host }) }),
  )
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, HOME: folder, NO_COLOR: '1', MYRMEX_TRUSTED_FOLDERS: folder }
  const start = (...args: string[]): StartedCommand => {
    const child = spawn(process.execPath, [CLI, ...args], { cwd: folder, env, stdio: 'pipe' })
    onTestFinished(() => void child.kill('SIGKILL'))
    return new StartedCommand(child)
  }
  const myrmex = (...args: string[]) => runToEnd(args, { cwd: folder, env })
  return { issuer, server, folder, env, start, myrmex }
}

const linkIn = async (command: StartedCommand): Promise<string> => {
  await command.prints(/^http:\S+\/auth\?\S+$/m)
  return /^http:\S+\/auth\?\S+$/m.exec(command.stdout)?.[0] ?? ''
}

const isListening = (host: StartedCommand): Promise<void> =>
  vi.waitFor(() => expect(host.stderr).toMatch(/every call is recorded/), { timeout: 30_000 })

/** No byte of what the host keeps or says has one of these in it. */
function expectHidden(
  folder: string,
  said: string,
  { issuer, server }: { issuer: SignInIssuer; server: ProtectedServer },
) {
  const secrets = new Set([
    ...server.tokens,
    ...issuer.asked.flatMap(({ body }) => [body.get('refresh_token'), body.get('code'), body.get('code_verifier')]),
  ])
  secrets.delete(null)
  expect(secrets.size).toBeGreaterThan(1)
  const files = ['ledger.db', 'ledger.db-wal'].map((name) => readFileSync(join(folder, '.myrmex', name), 'latin1'))
  for (const secret of secrets) for (const text of [...files, said]) expect(text).not.toContain(secret)
}

test('with a running host: link, browser, connected at once, and signed out again', async () => {
  const { issuer, server, folder, start, myrmex } = await prepare()
  const host = start('host', '--http', '0')
  await isListening(host)
  expect(host.stderr).toContain('notes: needs a sign-in: nobody has signed in yet. Run: npx myrmex host login notes')
  const before = await myrmex('host', 'status')
  expect(before.stdout).toMatch(
    /notes +needs sign in[ \d]+\n {2}\d+ seconds? ago: nobody has signed in yet; npx myrmex host login notes\n/,
  )

  const login = start('host', 'login', 'notes')
  const page = await new Browser().open(await linkIn(login))
  expect(page.text).toContain('Signed in to notes.')
  expect(page.url.href).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/oauth\/callback\/notes\?/)
  expect(await login.ended).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('signed in to notes: ready, 2 tools'),
  })
  const after = (await myrmex('host', 'status')).stdout
  expect(after).toMatch(/notes +ready +2/)
  expect(after).not.toContain('login notes')
  const status = JSON.parse((await myrmex('host', 'status', '--json')).stdout)
  expect(status.servers[0]).toMatchObject({ state: 'ready', sign_in: { state: 'signed_in', issuer: issuer.issuer } })

  const out = await myrmex('host', 'logout', 'notes')
  expect(out).toMatchObject({ code: 0, stdout: 'signed out of notes\nthe issuer has revoked the tokens\n' })
  expect(issuer.requests.filter((line) => line === 'POST /token/revocation')).toHaveLength(2)
  expect(await myrmex('host', 'logout', 'notes')).toMatchObject({ stdout: 'nobody is signed in to notes\n' })
  expect((await myrmex('host', 'status')).stdout).toContain('somebody signed out; npx myrmex host login notes')
  const audit = await myrmex('audit', 'verify')
  expect(audit).toMatchObject({ code: 0 })
  expectHidden(
    folder,
    host.stderr + host.stdout + login.stdout.replaceAll(/\S+\/auth\?\S+/g, '') + JSON.stringify(status),
    { issuer, server },
  )
})

test('beside the embedded issuer for clients: both directions on one port', async () => {
  const { start } = await prepare({ sign_in: { issuer: 'embedded', url: 'https://tools.example' } })
  const host = start('host', '--http', '0')
  await isListening(host)
  const [, port] = /127\.0\.0\.1:(\d+)/.exec(host.stderr) ?? []
  const document = await fetch(`http://127.0.0.1:${port}/oauth/client/notes.json`)
  expect([document.status, await document.json()]).toMatchObject([
    200,
    {
      client_id: 'https://tools.example/oauth/client/notes.json',
      redirect_uris: ['https://tools.example/oauth/callback/notes'],
    },
  ])
  const login = start('host', 'login', 'notes')
  const link = await linkIn(login)
  const { url } = await new Browser().open(link, ({ hostname }) => hostname === 'tools.example')
  // The proxy of tools.example, as it were.
  const answered = await fetch(`http://127.0.0.1:${port}${url.pathname}${url.search}`)
  expect([answered.status, await answered.text()]).toEqual([200, expect.stringContaining('Signed in to notes.')])
  expect(await login.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('signed in to notes: ready') })
})

test('without a host: says so, signs in with the ledger, and a host that starts later is connected', async () => {
  const { start, server } = await prepare()
  const login = start('host', 'login', 'notes', '--no-browser')
  await new Browser().open(await linkIn(login))
  const { code, stdout, stderr } = await login.ended
  expect(code).toBe(0)
  expect(stderr).toContain('no host is listening; using its ledger directly')
  expect(stdout).toContain('signed in to notes')
  expect(server.requests.filter((line) => line === 'POST /mcp')).toEqual([])
  const host = start('host', '--http', '0')
  await vi.waitFor(() => expect(host.stderr).toMatch(/notes: ready, 2 tools/), { timeout: 30_000 })
})

test('--paste: the browser is elsewhere, and the address that it ended at is enough', async () => {
  const { start } = await prepare()
  const login = start('host', 'login', 'notes', '--paste')
  const { url } = await new Browser().open(await linkIn(login), (at) => at.pathname.startsWith('/oauth/'))
  login.type(`${url.href}\n`)
  expect(await login.ended).toMatchObject({ code: 0 })
})

test('--paste from a pipe: a wrong address ends the command at once, with what to paste', async () => {
  const { start } = await prepare()
  const host = start('host', '--http', '0')
  await isListening(host)
  const login = start('host', 'login', 'notes', '--paste')
  await linkIn(login)
  login.type('https://example.com/\n')
  expect(await login.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('Copy the whole address') })
})

test('what the person or the issuer refused is said, and nothing is signed in', async () => {
  const { start, issuer } = await prepare()
  const login = start('host', 'login', 'notes', '--no-browser')
  const asked = new URL(await linkIn(login)).searchParams
  const back = new URL(asked.get('redirect_uri') ?? '')
  back.search = String(
    new URLSearchParams({
      state: asked.get('state') ?? '',
      iss: issuer.issuer,
      error: 'access_denied',
      error_description: 'Ada said <b>no</b>\u001b[2J',
    }),
  )
  const page = await (await fetch(back)).text()
  expect(page).toContain('access_denied: Ada said &lt;b&gt;no&lt;/b&gt; [2J. Nothing was changed.')
  expect(await login.ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${issuer.issuer} said access_denied: Ada said <b>no</b> [2J.`),
  })
})

test.skipIf(PTY === undefined || process.platform !== 'linux')(
  `on a terminal the browser of the desktop opens with the whole link, and --no-browser opens nothing${PTY_NOTE}`,
  async () => {
    const { folder, env } = await prepare()
    const opened = join(folder, 'opened')
    mkdirSync(join(folder, 'bin'))
    writeFileSync(join(folder, 'bin', 'xdg-open'), `#!/bin/sh\nprintf '%s\\n' "$@" >> '${opened}'\n`, { mode: 0o755 })
    const signIn = async (...more: string[]): Promise<string> => {
      const words = [process.execPath, CLI, 'host', 'login', 'notes', ...more]
      const login = inTerminal(words, folder, { ...env, PATH: `${join(folder, 'bin')}:${env.PATH}` })
      await login.prints(/http:\S+\/auth\?\S+\s/)
      const link = /http:\S+\/auth\?\S+/.exec(login.stdout)?.[0] ?? ''
      if (more.length === 0) await vi.waitFor(() => expect(readFileSync(opened, 'utf8')).toBe(`${link}\n`), 10_000)
      await new Browser().open(link)
      expect(await login.ended).toMatchObject({ code: 0 })
      return link
    }
    const first = await signIn()
    await signIn('--no-browser')
    expect(readFileSync(opened, 'utf8')).toBe(`${first}\n`)
  },
)

describe.skipIf(PTY === undefined)(`in a locked ledger${PTY_NOTE}`, () => {
  const PASSPHRASE = 'a long passphrase of the operator'
  const lock = async (folder: string): Promise<void> => {
    const ledger = await openLedger(join(folder, '.myrmex', 'ledger.db'))
    await lockLedger(ledger, PASSPHRASE, 'the operator', 2 ** 14)
    await ledger.close()
  }
  const signIn = async (inFolder: string, env: NodeJS.ProcessEnv) => {
    const login = inTerminal([process.execPath, CLI, 'host', 'login', 'notes', '--no-browser'], inFolder, env)
    await login.prints("The operator's passphrase, to sign in or out: ")
    login.type(`${PASSPHRASE}\r`)
    await login.prints(/http:\S+\/auth\?\S+/)
    await new Browser().open(/http:\S+\/auth\?\S+/.exec(login.stdout)?.[0] ?? '')
    return await login.ended
  }

  test('without a host, then with one: the passphrase signs the decision, and no passphrase is no login', async () => {
    const { folder, env, start, myrmex } = await prepare()
    await lock(folder)
    expect(await myrmex('host', 'login', 'notes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no terminal to ask for it'),
    })
    const alone = await signIn(folder, env)
    expect(alone).toMatchObject({ code: 0, stdout: expect.stringContaining('signed in to notes') })
    const host = start('host', '--http', '0')
    await vi.waitFor(() => expect(host.stderr).toMatch(/notes: ready, 2 tools/), { timeout: 30_000 })
    const again = await signIn(folder, env)
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('signed in to notes: ready, 2 tools') })
    expect(await myrmex('audit', 'verify')).toMatchObject({ code: 0 })
    expect([alone.stdout, again.stdout, host.stderr].join()).not.toContain(PASSPHRASE)
  })
})

test('--device: a code, on any device', async () => {
  const { start } = await prepare()
  const login = start('host', 'login', 'notes', '--device', '--json')
  await login.prints(/user_code/)
  const { login: started } = JSON.parse(login.stdout.split('\n')[0] ?? '')
  expect(started).toMatchObject({ flow: 'device', user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/) })
  await new Browser().open(started.verification_uri_complete)
  const { code, stdout } = await login.ended
  expect([code, JSON.parse(stdout.trim().split('\n').at(-1) ?? '')]).toEqual([0, { status: null }])
})

test('an unknown server and one without OAuth are refused, with what to do', async () => {
  const { folder, myrmex } = await prepare()
  expect(await myrmex('host', 'login', 'note')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Did you mean notes?'),
  })
  writeFileSync(join(folder, 'myrmex.json'), JSON.stringify({ mcpServers: { files: { command: 'true' } } }))
  expect((await myrmex('host', 'login', 'files')).stderr).toContain(
    'starts files as a program, which signs in by itself',
  )
})
