/** The real `myrmex host` with the embedded issuer in a process of its own, and the commands with which its operator decides about users. */
import { expect } from 'vitest'
import { type CommandEnd, runToEnd } from '../cli/run-to-end.ts'
import { freePort } from '../free-port.ts'
import { gatedServer, type HostFolder, hostFolder, type StartedHost } from '../host/host-folder.ts'
import { SignInBrowser, textOf } from '../sign-in-browser.ts'
import { PASSPHRASE } from '../signed-in-host.ts'

export interface PeopleHost extends HostFolder {
  readonly origin: string
  readonly url: URL
  /** `myrmex users …` */
  users(...args: string[]): Promise<CommandEnd>
  /** Invites a user with the command, and chooses its passphrase with the link. */
  invite(name: string, ...args: string[]): Promise<void>
  /** Waits until it listens. */
  open(): Promise<StartedHost>
}

/** Its servers are `bees` (one tool, `hum`) and `ants` (one tool, `dig`). `config` is added to the file. */
export async function peopleHost(config: Record<string, object> = {}): Promise<PeopleHost> {
  const folder = hostFolder()
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const { host = {}, mcpServers = {}, ...more } = config
  folder.write('project/myrmex.json', {
    mcpServers: { bees: gatedServer('hum'), ants: gatedServer('dig'), ...mcpServers },
    host: { port, sign_in: { issuer: 'embedded' }, ...host },
    ...more,
  })
  const users = (...args: string[]): Promise<CommandEnd> =>
    runToEnd(['users', ...args], { cwd: folder.project, env: folder.env })
  return {
    ...folder,
    origin,
    url: new URL(`${origin}/mcp`),
    users,
    async invite(name, ...args) {
      const { code, stdout, stderr } = await users('invite', name, ...args, '--json')
      expect([code, stderr]).toEqual([0, ''])
      const browser = new SignInBrowser()
      const page = await browser.open(new URL(JSON.parse(stdout).link))
      if (page instanceof URL) throw new Error(`redirected to ${page}`)
      const done = await browser.submit(page, { passphrase: PASSPHRASE, again: PASSPHRASE })
      expect(done instanceof URL ? done.href : textOf(done)).toContain('You are all set')
    },
    async open() {
      const started = folder.start([])
      await started.says(/(listening at)/)
      return started
    },
  }
}
