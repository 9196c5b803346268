/**
 * Ends all children if this process dies, even by SIGKILL. A shell in its own session holds the other end of a pipe. When the pipe
 * closes, the shell ends every process group it knows. It starts with the first child and is restarted if it dies. On Windows
 * children only see their input close.
 */
import type { ChildProcess } from 'node:child_process'
import type { Writable } from 'node:stream'
import { childProcess } from '../../protocol/builtin.ts'

/**
 * Reads `+ID` and `-ID`. At the end of its input it sends SIGTERM to each group and, a second later, SIGKILL. The same goes for
 * descendants that left their group, such as browsers, while their parents live.
 */
const SCRIPT = `
trap '' HUP INT TERM
kept=' '
while read -r line; do
  id=\${line#?}
  case $line in
    +*) kept="$kept$id " ;;
    -*) case $kept in *" $id "*) kept="\${kept%% $id *} \${kept#* $id }" ;; esac ;;
  esac
done
[ "$kept" = ' ' ] && exit
if [ -r /proc/self/stat ]; then
  pairs=$(sed -n 's/^\\([0-9]*\\) (.*) [A-Za-z] \\([0-9]*\\) .*/\\1 \\2/p' /proc/[0-9]*/stat)
else
  pairs=$(ps -A -o pid= -o ppid=)
fi
all=$kept
grown=yes
while [ "$grown" ]; do
  grown=
  set -- $pairs
  while [ $# -gt 1 ]; do
    case $all in
      *" $1 "*) ;;
      *" $2 "*) all="$all$1 " grown=yes ;;
    esac
    shift 2
  done
done
for id in $kept; do kill -s TERM -- "-$id"; done
for id in $all; do kill -s TERM "$id"; done
sleep 1
for id in $kept; do kill -s KILL -- "-$id"; done
for id in $all; do kill -s KILL "$id"; done
`
/** If it dies this often, something kills it on purpose. */
const MAX_STARTS = 20

export class Reaper {
  readonly #groups = new Set<number>()
  readonly #log: (line: string) => void
  #shell: ChildProcess | undefined
  #starts = 0
  #isClosed = false

  /** `log` is called when children are no longer watched. */
  constructor(log: (line: string) => void = () => {}) {
    this.#log = log
  }

  get pid(): number | undefined {
    return this.#shell?.pid
  }

  /** Call it before a child is started, so that nothing delays `watch`. */
  start(): void {
    if (this.#shell !== undefined || this.#isClosed || process.platform === 'win32') return
    if (this.#starts++ >= MAX_STARTS) return
    // An empty environment: the script only needs to find sleep.
    const shell = childProcess().spawn('/bin/sh', ['-c', SCRIPT], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: '/usr/bin:/bin' },
      cwd: '/',
    })
    this.#shell = shell
    shell.once('error', (thrown) => this.#shellEnded(shell, thrown.message))
    shell.once('exit', (code, signal) => this.#shellEnded(shell, signal ?? `code ${code}`))
    // Writes to a dead shell are repeated to the next one.
    shell.stdin?.on('error', () => {})
    shell.unref()
    unref(shell.stdin)
    for (const id of this.#groups) this.#write(`+${id}\n`)
  }

  /** From now on this process group ends when this process dies. */
  watch(group: number): void {
    this.#groups.add(group)
    this.#write(`+${group}\n`)
  }

  /** The group has ended, and its id may be reused. */
  forget(group: number): void {
    if (this.#groups.delete(group)) this.#write(`-${group}\n`)
  }

  /** Ends the shell, and with it every group that is still watched. */
  async close(): Promise<void> {
    this.#isClosed = true
    const shell = this.#shell
    if (shell === undefined) return
    const ended = new Promise((resolve) => shell.once('exit', resolve))
    shell.ref()
    shell.stdin?.end()
    await ended
  }

  #write(line: string): void {
    this.#shell?.stdin?.write(line)
  }

  #shellEnded(shell: ChildProcess, how: string): void {
    if (this.#shell !== shell) return
    this.#shell = undefined
    if (this.#isClosed) return
    const last =
      this.#starts >= MAX_STARTS ? ' It is not restarted: if this process is killed, child processes may remain.' : ''
    this.#log(`The child process reaper ended (${how}).${last}`)
    if (this.#groups.size > 0) this.start()
  }
}

/** A pipe is a socket, which would keep this process alive. */
function unref(stream: Writable | null): void {
  if (stream !== null && 'unref' in stream && typeof stream.unref === 'function') stream.unref()
}
