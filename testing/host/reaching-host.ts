/** `myrmex host` as an operator runs it, with a child that tries to reach what is not its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { connect } from 'myrmex/client'
import { onTestFinished } from 'vitest'
import { CLI, fixturePath } from '../paths.ts'

const WAIT_MS = 200
const MAX_WAITS = 150
const isUnknown = (error: { error_type: string } | null): boolean => error?.error_type === 'ToolNotFoundError'

/** In the host's environment, and so in its memory. */
export const HOST_MARKER = 'HOST_MARKER=only-the-host-has-this'

export interface ReachingHostOptions {
  /** `sandbox` of the server; without it the default */
  readonly sandbox?: unknown
  /** `sandbox` of the host */
  readonly hostSandbox?: unknown
  /** the host runs as this user; needs root */
  readonly uid?: number
  /** more of the server's entry */
  readonly entry?: object
  /** further servers */
  readonly others?: Readonly<Record<string, object>>
  /** in its folder; default: below .myrmex */
  readonly ledger?: string
  readonly ledgerKey?: string
  /** a program and its arguments that start the host */
  readonly startedBy?: readonly string[]
  /** variables of the host, such as PATH */
  readonly env?: Readonly<Record<string, string>>
}

export interface ReachingHost {
  readonly folder: string
  readonly pid: number
  /** of its endpoint for MCP */
  readonly url: string
  /** everything it printed so far */
  said(): string
  /** What the child found out. */
  reach<T = Record<string, string>>(how: string, args?: object): Promise<T>
  /** GET below /api, or POST of a body */
  api(path: string, body?: object): Promise<Record<string, unknown>>
}

/** Not below the folder of the tests, which other users cannot enter. */
function freshFolder(uid: number | undefined): string {
  // A name that a shell would take apart.
  const folder = mkdtempSync(join(tmpdir(), "reach o'hara $HOME "))
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'private'), { mode: 0o700 })
  mkdirSync(join(folder, 'data'))
  writeFileSync(join(folder, 'private', 'token'), 'a-secret-in-a-file\n', { mode: 0o600 })
  if (uid !== undefined)
    for (const name of ['', 'data', 'private', 'private/token']) chownSync(join(folder, name), uid, uid)
  return folder
}

export async function startReachingHost(options: ReachingHostOptions = {}): Promise<ReachingHost> {
  const { sandbox, hostSandbox, uid, entry, others = {}, env = {}, ledger, ledgerKey, startedBy = [] } = options
  const folder = freshFolder(uid)
  const servers = {
    reacher: {
      command: process.execPath,
      args: [fixturePath('host/reaching-upstream.mjs')],
      trust: 'trusted',
      ...(sandbox !== undefined && { sandbox }),
      ...entry,
    },
    // Its secret is nothing that another server may read.
    other: { url: 'http://127.0.0.1:9/mcp', headers: { Authorization: { from_file: 'private/token' } }, start: 'lazy' },
    ...others,
  }
  const host = hostSandbox === undefined ? {} : { host: { sandbox: hostSandbox } }
  writeFileSync(join(folder, 'myrmex.json'), JSON.stringify({ mcpServers: servers, ...host }, null, 2))
  if (uid !== undefined) chownSync(join(folder, 'myrmex.json'), uid, uid)
  const [name = '', value] = HOST_MARKER.split('=')
  const store = [
    ...(ledger === undefined ? [] : ['--ledger', ledger]),
    ...(ledgerKey === undefined ? [] : ['--ledger-key', ledgerKey]),
  ]
  const [program = '', ...args] = [...startedBy, process.execPath, CLI, 'host', '--open', '--http', '0', ...store]
  const { PATH, NODE_COMPILE_CACHE } = process.env
  // Another user must not use the compile cache of this one.
  const cache = uid === undefined && { NODE_COMPILE_CACHE }
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH, ...cache, HOME: folder, MYRMEX_TRUSTED_FOLDERS: folder, [name]: value, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
  })
  let said = ''
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    rmSync(folder, { recursive: true, force: true })
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const found = /(http:\/\/127\.0\.0\.1:\d+\/mcp)\b/.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`The host ended with ${code} before it listened: ${said}`)))
  })
  const connection = await connect({ url })
  onTestFinished(() => connection.close())
  return {
    folder,
    pid: child.pid as number,
    url,
    said: () => said,
    async reach<T>(how: string, args: object = {}) {
      const call = () => connection.call('reacher.reach', { how, ...args })
      let result = await call()
      // On a busy machine the host listens before its children are ready.
      for (let left = MAX_WAITS; left > 0 && isUnknown(result.error) && !said.includes('was not started'); left--) {
        await setTimeout(WAIT_MS)
        result = await call()
      }
      const [block] = (result.data as { content?: { text: string }[] } | null)?.content ?? []
      if (block === undefined) throw new Error(`The call failed: ${JSON.stringify(result.error)}\n${said}`)
      return JSON.parse(block.text) as T
    },
    async api(path, body) {
      const file = join(folder, '.myrmex', 'host', 'api.json')
      if (!existsSync(file)) throw new Error(`The host has no ${file}: ${said}`)
      const { url: base, token } = JSON.parse(readFileSync(file, 'utf8')) as { url: string; token: string }
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
      const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      const response = await fetch(`${base}${path}`, { headers, ...post })
      return (await response.json()) as Record<string, unknown>
    },
  }
}
