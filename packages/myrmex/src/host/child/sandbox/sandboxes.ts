/**
 * The sandboxes of a host's children. A kind counts as available only after it was tried: it must hide a file of the state folder
 * from a program that it starts. `auto` takes the first available kind, and reports if there is none. Any other kind that is not
 * available is an error, and the child is not started.
 */
import { existsSync, realpathSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { childProcess, crypto } from '../../../protocol/builtin.ts'
import { messageOf, ToolError } from '../../../protocol/errors.ts'
import type { ChildEndpoint, SandboxKind, SandboxSettings } from '../../settings.ts'
import { childEnvironment } from '../child-environment.ts'
import { bwrapLaunch } from './bwrap.ts'
import { findProgram, type Launch, plainLaunch } from './launch.ts'
import { namespaceLaunch } from './namespace.ts'
import { userLaunch } from './other-user.ts'
import { hidesItself, type ProtectedPaths, planSandbox, type SandboxPlan } from './plan.ts'

type RealKind = Exclude<SandboxKind, 'auto' | 'none'>

/** How a child was started the last time. */
export interface SandboxState {
  readonly kind: Exclude<SandboxKind, 'auto'>
  /** why it has no sandbox although it should */
  readonly problem?: string
}

const TRIAL_MS = 10_000
const BUILDERS = { bwrap: bwrapLaunch, namespace: namespaceLaunch } as const
/** The reasons of `user` say themselves what to do. */
const NEEDS: Readonly<Record<RealKind, string>> = {
  bwrap: '. Install bubblewrap, and allow user namespaces',
  namespace: '. Install util-linux, and allow user namespaces',
  user: '',
}

export class Sandboxes {
  readonly #more: ProtectedPaths
  readonly #log: (line: string) => void
  readonly #states = new Map<string, SandboxState>()
  /** kinds that worked, and trials under way */
  readonly #trials = new Map<RealKind, Promise<string | undefined>>()
  readonly #reported = new Set<string>()

  /** `log` is called if a child runs without a sandbox because none is available. */
  constructor(more: Partial<ProtectedPaths> = {}, log: (line: string) => void = () => {}) {
    this.#more = { hide: [], readOnly: [], ...more }
    this.#log = log
  }

  /** Returns undefined if the server has not been started. */
  stateOf(name: string): SandboxState | undefined {
    return this.#states.get(name)
  }

  /** Tries the kinds that this child may get, while nothing waits for it. A trial starts no program of a server. */
  async prepare(name: string, endpoint: ChildEndpoint, settings: SandboxSettings): Promise<void> {
    if (process.platform !== 'linux') return
    for (const kind of candidates(settings)) {
      if (kind === 'user') return
      const plan = planSandbox(name, { ...endpoint, program: '/bin/sh' }, settings, this.#more)
      if ((await this.#tried(kind, plan)) === undefined) return
    }
  }

  /** How to start the child now. Throws if its sandbox is not available. */
  async launch(name: string, endpoint: ChildEndpoint, settings: SandboxSettings): Promise<Launch> {
    const { kind } = settings
    this.#states.delete(name)
    if (kind === 'none') return this.#without(name, endpoint)
    const env = childEnvironment(endpoint)
    // Errors about the program itself come first, worded as without a sandbox.
    const program = findProgram(endpoint.command, endpoint.cwd, env.PATH)
    const child = { ...endpoint, program, env }
    const missing = settings.write?.find((path) => !existsSync(path))
    if (missing !== undefined)
      throw refusal(name, `its sandbox may write to ${missing}, which does not exist. Create it, or correct the path`)
    const reasons: string[] = []
    for (const candidate of candidates(settings)) {
      const built = await this.#build(candidate, name, child, settings)
      if (typeof built !== 'string') {
        this.#states.set(name, { kind: candidate })
        return { ...built, env: { ...built.env, ...endpoint.env } }
      }
      reasons.push(kind === 'auto' ? `${candidate}: ${built}` : built)
    }
    if (kind !== 'auto') throw refusal(name, `sandbox is ${kind}, but ${reasons.join('')}${NEEDS[kind]}`)
    const why = reasons.join('; ') || `there is none for ${process.platform}`
    if (settings.write !== undefined || !settings.network)
      throw refusal(name, `its sandbox has ${settings.network ? 'write' : 'network'}, but no kind works here (${why})`)
    return this.#without(name, endpoint, `runs without a sandbox and can read the state folder of the host (${why})`)
  }

  #without(name: string, endpoint: ChildEndpoint, problem?: string): Launch {
    this.#states.set(name, { kind: 'none', ...(problem !== undefined && { problem }) })
    if (problem !== undefined && !this.#reported.has(name)) {
      this.#reported.add(name)
      this.#log(`${name}: ${problem}. To accept that, set "sandbox": "none" in myrmex.json.`)
    }
    return plainLaunch(endpoint)
  }

  /** Returns why it is not possible. */
  async #build(
    kind: RealKind,
    name: string,
    child: ChildEndpoint & { readonly program: string },
    settings: SandboxSettings,
  ): Promise<Launch | string> {
    try {
      const { program, args, env } = child
      if (kind === 'user') return await userLaunch(name, child, settings, this.#more, env)
      if (process.platform !== 'linux') return 'it needs Linux'
      const plan = planSandbox(name, child, settings, this.#more)
      if (hidesItself(plan, realpathSync(program)))
        return `it starts in the state folder ${plan.state}, which is hidden`
      const failed = await this.#tried(kind, plan)
      return failed ?? BUILDERS[kind](plan, program, args, { ...env, ...plan.env })
    } catch (thrown) {
      // The folders of the sandbox were replaced. Then the child must not start without one.
      if (thrown instanceof ToolError) throw thrown
      return messageOf(thrown)
    }
  }

  /** Once for each kind, until it worked. */
  #tried(kind: keyof typeof BUILDERS, plan: SandboxPlan): Promise<string | undefined> {
    const known = this.#trials.get(kind)
    if (known !== undefined) return known
    const trial = tryKind(kind, plan).catch((thrown: Error) => thrown.message)
    this.#trials.set(kind, trial)
    void trial.then((failed) => failed !== undefined && this.#trials.delete(kind))
    return trial
  }
}

const refusal = (name: string, why: string): ToolError =>
  ToolError.of('PermissionError', `${name} was not started: ${why}`)

function candidates({ kind, write, network }: SandboxSettings): RealKind[] {
  if (kind === 'none') return []
  if (kind !== 'auto') return [kind]
  const namespaces: RealKind[] = process.platform === 'linux' ? ['bwrap', 'namespace'] : []
  // Another user cannot be limited further.
  return write !== undefined || !network
    ? namespaces
    : [...namespaces, ...(process.getuid?.() === 0 ? ['user' as const] : [])]
}

/** Returns why it does not work. */
async function tryKind(kind: keyof typeof BUILDERS, plan: SandboxPlan): Promise<string | undefined> {
  const secret = join(plan.state, `sandbox-trial-${crypto.randomBytes(8).toString('hex')}`)
  const env = { PATH: process.env.PATH ?? '' }
  // Throws if a program of this kind is missing. Only then the file is written, which must not stay behind.
  const launch = BUILDERS[kind](
    plan,
    '/bin/sh',
    ['-c', '[ ! -e "$1" ] || echo visible; echo started', 'sh', secret],
    env,
  )
  await writeFile(secret, '', { mode: 0o600, flag: 'wx' })
  try {
    const { failed, stdout, stderr } = await output(launch)
    if (stdout === 'started\n') return undefined
    if (stdout.includes('visible')) return 'it started, but did not hide the state folder'
    return stderr.trim().split('\n').at(-1) || failed || 'it started nothing'
  } finally {
    await rm(secret, { force: true })
  }
}

function output({ command, args, env, cwd }: Launch): Promise<{ failed: string; stdout: string; stderr: string }> {
  const options = { env, cwd, timeout: TRIAL_MS, killSignal: 'SIGKILL', encoding: 'utf8' } as const
  return new Promise((resolve) => {
    childProcess().execFile(command, [...args], options, (error, stdout, stderr) => {
      const code = (error as NodeJS.ErrnoException | null)?.code
      const failed = code === 'ENOENT' ? `there is no program ${command}` : (error?.message.split('\n')[0] ?? '')
      resolve({ failed, stdout, stderr })
    })
  })
}
