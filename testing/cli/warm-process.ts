/**
 * A process that runs `myrmex` commands one after the other, for `run-to-end.ts`. For each:
 * - It takes the folder, environment and arguments of the command, and collects what it prints.
 * - It loads main.ts again, whose imports are loaded already.
 * - The command has ended when nothing is left to wait for, or when it calls process.exit.
 * It ends, and the next command gets a new process, after process.exit, if modules outside the checkout were loaded (a test may change
 * them), or after MAX_COMMANDS.
 */
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { CLI, ROOT } from '../paths.ts'

export interface WarmCommand {
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

export interface WarmEnd {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  readonly isReusable: boolean
}

const MAX_COMMANDS = 40
const MAIN = pathToFileURL(join(ROOT, 'packages/myrmex/src/cli/main.ts')).href
/** Files of the checkout, which no test changes. Tests make folders of their own beside these. */
const STABLE = ['packages', 'testing', 'examples', 'node_modules'].map(
  (name) => `${pathToFileURL(join(ROOT, name)).href}/`,
)

const { stdout, stderr } = process
const exit = process.exit.bind(process)
let commands = 0
let hasForeignModules = false
let running: { stdout: string; stderr: string; readonly listeners: Map<NodeJS.EventEmitter, ListenerSets> } | undefined

type ListenerSets = Map<string | symbol, Set<unknown>>

registerHooks({
  load(url, context, next) {
    if (!url.startsWith('node:') && !STABLE.some((folder) => url.startsWith(folder))) hasForeignModules = true
    return next(url, context)
  },
})

function collect(stream: NodeJS.WriteStream, name: 'stdout' | 'stderr'): void {
  stream.write = ((chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    if (running !== undefined) running[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    const done = rest.find((one) => typeof one === 'function')
    if (typeof done === 'function') process.nextTick(done as () => void)
    return true
  }) as typeof stream.write
}

const EMITTERS: readonly NodeJS.EventEmitter[] = [process, stdout, stderr]

const listenersOf = (emitter: NodeJS.EventEmitter): ListenerSets =>
  new Map(emitter.eventNames().map((event) => [event, new Set(emitter.rawListeners(event))]))

/** Calls what the command left to be done at its exit, and removes all its listeners. */
function removeListeners(before: Map<NodeJS.EventEmitter, ListenerSets>, code: number): void {
  for (const emitter of EMITTERS) {
    for (const event of emitter.eventNames()) {
      for (const listener of emitter.rawListeners(event)) {
        if (before.get(emitter)?.get(event)?.has(listener)) continue
        if (emitter === process && event === 'exit') listener.call(process, code)
        emitter.removeListener(event, listener as () => void)
      }
    }
  }
}

function end(code: number, mayReuse: boolean): void {
  if (running === undefined) return
  removeListeners(running.listeners, code)
  const isReusable = mayReuse && !hasForeignModules && commands < MAX_COMMANDS
  const ended: WarmEnd = { code, stdout: running.stdout, stderr: running.stderr, isReusable }
  running = undefined
  process.exitCode = undefined
  process.channel?.ref()
  process.send?.(ended, () => {
    if (!isReusable) exit(0)
  })
}

/** The command must not go on after it. */
class ProcessExit extends Error {}

process.exit = ((code?: number | string | null): never => {
  end(Number(code ?? process.exitCode ?? 0), false)
  throw new ProcessExit()
}) as typeof process.exit

process.on('uncaughtException', (error) => {
  if (error instanceof ProcessExit) return
  process.stderr.write(`${error.stack}\n`)
  end(1, false)
})
process.on('unhandledRejection', (reason) => {
  if (reason instanceof ProcessExit) return
  process.stderr.write(`${reason instanceof Error ? reason.stack : reason}\n`)
  end(1, false)
})
process.on('beforeExit', () => end(Number(process.exitCode ?? 0), true))
process.on('disconnect', () => exit(0))
process.on('message', ({ args, cwd, env }: WarmCommand) => {
  running = { stdout: '', stderr: '', listeners: new Map(EMITTERS.map((one) => [one, listenersOf(one)])) }
  commands++
  // A command may have redirected them for good.
  collect(stdout, 'stdout')
  collect(stderr, 'stderr')
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.chdir(cwd)
  process.argv = [process.execPath, CLI, ...args]
  process.exitCode = undefined
  process.channel?.unref()
  void import(`${MAIN}?command=${commands}`)
})
