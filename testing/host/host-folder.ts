/**
 * A folder with a home, a project and a `myrmex.json`, in which the real `myrmex host` runs as its user types it. Everything that it
 * starts ends with the test.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { type CommandEnd, type CommandOptions, runToEnd } from '../cli/run-to-end.ts'
import { CLI, fixturePath } from '../paths.ts'

export interface StartedHost {
  readonly child: ChildProcess
  /** what it wrote to stderr so far */
  said(): string
  /** Resolves with the first group of the pattern when it has been said. */
  says(what: RegExp): Promise<string>
  /** of the operator's API */
  api(): { readonly url: string; readonly token: string; readonly pid: number }
  /** the body and the status of a request to the operator's API */
  request(path: string, body?: object, token?: string): Promise<{ status: number; body: never }>
  end(signal?: NodeJS.Signals): Promise<number | null>
}

export interface HostFolder {
  readonly folder: string
  readonly home: string
  readonly project: string
  readonly env: NodeJS.ProcessEnv
  /** Writes a file, with its folders, and returns its path. */
  write(path: string, content: string | object): string
  read(path: string): string
  /** `myrmex host …` to its end */
  run(args: readonly string[], options?: CommandOptions): Promise<CommandEnd>
  start(args: readonly string[], env?: NodeJS.ProcessEnv): StartedHost
}

/** An entry of a server with one tool; with `gate` it answers nothing until that file exists. */
export const gatedServer = (tool: string, gate?: string): object => ({
  command: process.execPath,
  args: [fixturePath('host/gated-upstream.mjs'), tool, ...(gate === undefined ? [] : [gate])],
  trust: 'verified',
})

export function hostFolder(): HostFolder {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-host-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const [home, project] = [join(folder, 'home'), join(folder, 'project')]
  mkdirSync(project)
  // The project is the user's own.
  const { PATH, NODE_COMPILE_CACHE, MYRMEX_TRUSTED_FOLDERS } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, MYRMEX_TRUSTED_FOLDERS, HOME: home, USERPROFILE: home, NO_COLOR: '1' }
  const write = (path: string, content: string | object): string => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
    return file
  }
  return {
    ...{ folder, home, project, env, write },
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    run: (args, options = {}) => runToEnd(['host', ...args], { cwd: project, env, ...options }),
    start: (args, more = {}) => {
      const child = spawn(process.execPath, [CLI, 'host', ...args], { cwd: project, env: { ...env, ...more } })
      onTestFinished(async () => {
        if (child.exitCode !== null || child.signalCode !== null) return
        child.kill('SIGKILL')
        await once(child, 'exit')
      })
      return startedHost(child, project)
    },
  }
}

function startedHost(child: ChildProcess, project: string): StartedHost {
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (said += chunk))
  child.stderr?.on('error', () => {})
  const api = (): ReturnType<StartedHost['api']> =>
    JSON.parse(readFileSync(join(project, '.myrmex/host/api.json'), 'utf8'))
  return {
    child,
    said: () => said,
    says: (what) =>
      vi.waitFor(() => what.exec(said)?.[1] ?? expect.fail(`${what} is not in:\n${said}`), {
        timeout: 20_000,
        interval: 20,
      }),
    api,
    async request(path, body, token = api().token) {
      const response = await fetch(new URL(path, api().url), {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: (await response.json()) as never }
    },
    async end(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal)
        await once(child, 'exit')
      }
      return child.exitCode
    },
  }
}
