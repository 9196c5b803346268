/** `myrmex host login` and `logout` as an operator types them: processes of their own, and a browser that follows links. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartedCommand } from '@myrmex/testing/cli/run-command'
import { runToEnd } from '@myrmex/testing/cli/run-to-end'
import { CLI } from '@myrmex/testing/paths'
import { Browser } from '@myrmex/testing/sign-in/browser'
import { type ProtectedServer, protectedServer } from '@myrmex/testing/sign-in/protected-server'
import { type SignInIssuer, signInIssuer } from '@myrmex/testing/sign-in/sign-in-issuer'
import { expect, onTestFinished, test, vi } from 'vitest'

async function prepare() {
  const issuer = await signInIssuer()
  const server = await protectedServer('sdk2', issuer)
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-login-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  writeFileSync(
    join(folder, 'myrmex.json'),
    JSON.stringify({ mcpServers: { notes: { url: server.url, trust: 'verified' } } }),
  )
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, HOME: folder, NO_COLOR: '1', MYRMEX_TRUSTED_FOLDERS: folder }
  const start = (...args: string[]): StartedCommand => {
    const child = spawn(process.execPath, [CLI, ...args], { cwd: folder, env, stdio: 'pipe' })
    onTestFinished(() => void child.kill('SIGKILL'))
    return new StartedCommand(child)
  }
  const myrmex = (...args: string[]) => runToEnd(args, { cwd: folder, env })
  return { issuer, server, folder, start, myrmex }
}

const linkIn = async (command: StartedCommand): Promise<string> => {
  await command.prints(/^http:\S+\/auth\?\S+$/m)
  return /^http:\S+\/auth\?\S+$/m.exec(command.stdout)?.[0] ?? ''
}

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
  await vi.waitFor(() => expect(host.stderr).toMatch(/every call is recorded/), { timeout: 30_000 })
  expect(host.stderr).toContain('notes: needs a sign-in: nobody has signed in yet. Run: npx myrmex host login notes')
  const before = await myrmex('host', 'status')
  expect(before.stdout).toMatch(/notes +needs sign in/)

  const login = start('host', 'login', 'notes')
  const page = await new Browser().open(await linkIn(login))
  expect(page.text).toContain('Signed in to notes.')
  expect(page.url.href).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sign-in\/callback\/notes\?/)
  expect(await login.ended).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('signed in to notes: ready, 2 tools'),
  })
  const status = JSON.parse((await myrmex('host', 'status', '--json')).stdout)
  expect(status.servers[0]).toMatchObject({ state: 'ready', sign_in: { state: 'signed_in', issuer: issuer.issuer } })

  const out = await myrmex('host', 'logout', 'notes')
  expect(out).toMatchObject({ code: 0, stdout: 'signed out of notes\nthe issuer has revoked the tokens\n' })
  expect(issuer.requests.filter((line) => line === 'POST /token/revocation')).toHaveLength(2)
  const audit = await myrmex('audit', 'verify')
  expect(audit).toMatchObject({ code: 0 })
  expectHidden(
    folder,
    host.stderr + host.stdout + login.stdout.replaceAll(/\S+\/auth\?\S+/g, '') + JSON.stringify(status),
    { issuer, server },
  )
})

test('without a host: says so, signs in with the ledger, and a host that starts later is connected', async () => {
  const { start, server } = await prepare()
  const login = start('host', 'login', 'notes', '--no-browser')
  await new Browser().open(await linkIn(login))
  const { code, stdout, stderr } = await login.ended
  expect(code).toBe(0)
  expect(stderr).toContain('no host is listening; signing in without one')
  expect(stdout).toContain('signed in to notes')
  expect(server.requests.filter((line) => line === 'POST /mcp')).toEqual([])
  const host = start('host', '--http', '0')
  await vi.waitFor(() => expect(host.stderr).toMatch(/notes: ready, 2 tools/), { timeout: 30_000 })
})

test('--paste: the browser is elsewhere, and the address that it ended at is enough', async () => {
  const { start } = await prepare()
  const login = start('host', 'login', 'notes', '--paste')
  const { url } = await new Browser().open(await linkIn(login), (at) => at.pathname.startsWith('/sign-in/'))
  login.type(`${url.href}\n`)
  expect(await login.ended).toMatchObject({ code: 0 })
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
