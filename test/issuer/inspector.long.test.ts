/** The Inspector signs in to a real host in both eras, with a real browser: the operator invites with the command line, the rest is the user's. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { launchBrowser } from '@myrmex/testing/browser'
import { freePort } from '@myrmex/testing/free-port'
import { type PeopleHost, peopleHost } from '@myrmex/testing/issuer/people-host'
import { PASSPHRASE } from '@myrmex/testing/signed-in-host'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

const BIN = fileURLToPath(new URL('../../node_modules/.bin/mcp-inspector', import.meta.url))

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

/** Runs its command line; `onUrl` is where it sends its user. */
async function inspect(
  host: PeopleHost,
  era: string,
  args: readonly string[],
  onUrl: (url: string) => Promise<void>,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const callback = `http://127.0.0.1:${await freePort()}/oauth/callback`
  const how = ['--transport', 'http', '--protocol-era', era, '--format', 'json', '--callback-url', callback]
  const child = spawn(process.execPath, [BIN, '--cli', host.url.href, ...how, ...args], {
    cwd: host.project,
    // It prints the address and tries to open a browser, which is not there.
    env: { ...host.env, MCP_AUTO_OPEN_ENABLED: 'true', MCP_INSPECTOR_SECRET_STORE: 'file' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  let person: Promise<void> | undefined
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
    const url = /^Please navigate to: (\S+)\n/m.exec(said)?.[1]
    if (url !== undefined) person ??= onUrl(url)
  })
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  await person
  return { code, stdout, stderr: said }
}

test.each(['legacy', 'modern'])('the Inspector signs its user in and uses what the user may use (%s)', async (era) => {
  const host = await peopleHost()
  await host.open()
  await host.invite('ada', '--scopes', 'bees.*')
  const opened: string[] = []
  const signIn = async (url: string): Promise<void> => {
    opened.push(url)
    const page = await (await browser.newContext()).newPage()
    await page.goto(url)
    await page.getByLabel('Name').fill('ada')
    await page.getByLabel('Passphrase').fill(PASSPHRASE)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Agree' }).click()
    await page.waitForURL(/\/oauth\/callback\?/)
  }
  const listed = await inspect(host, era, ['--method', 'tools/list'], signIn)
  expect(listed.stderr).not.toContain('"error"')
  expect(listed.code).toBe(0)
  const names = JSON.parse(listed.stdout).result.tools.map(({ name }: { name: string }) => name)
  expect(names.filter((name: string) => !name.startsWith('myrmex_'))).toEqual(['bees_hum'])
  expect(opened).toHaveLength(1)
  expect(new URL(opened[0] as string).searchParams.get('scope')).toContain('bees.*')

  const called = await inspect(host, era, ['--method', 'tools/call', '--tool-name', 'bees_hum'], signIn)
  expect(called.code).toBe(0)
  // The sign-in that it keeps between its runs still counts.
  expect(opened).toHaveLength(1)
})
