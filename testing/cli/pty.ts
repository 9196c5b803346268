/** A command in a terminal of its own, made by script(1) or by Python, whichever this machine has. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { StartedCommand } from './run-command.ts'

const has = (program: string, ...args: string[]): boolean => spawnSync(program, args, { stdio: 'ignore' }).status === 0

/** How a terminal can be made here; undefined if there is no way. */
export const PTY: 'script' | 'python3' | undefined = has('script', '--version')
  ? 'script'
  : has('python3', '-c', 'import pty')
    ? 'python3'
    : undefined

/** For the names of tests: why they are skipped. */
export const PTY_NOTE = PTY === undefined ? ' (skipped: neither script nor python3 is here to make a terminal)' : ''

export function inTerminal(words: readonly string[], cwd: string, env: NodeJS.ProcessEnv): StartedCommand {
  const line = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const python = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))'
  const child: ChildProcess =
    PTY === 'script'
      ? spawn('script', ['-qec', line, '/dev/null'], { cwd, env, stdio: 'pipe' })
      : spawn('python3', ['-c', python, ...words], { cwd, env, stdio: 'pipe' })
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  })
  return new StartedCommand(child)
}
