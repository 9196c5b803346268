/**
 * Sees to it that no child outlives us, however we die. A shell of its own session holds the other end of a pipe: when the pipe
 * ends without a word, we are gone, and it ends every process group it was told of. Started with the first child, started again
 * should it die itself. Windows has none: there children see the end of their input.
 */
import type { ChildProcess } from 'node:child_process'
import type { Writable } from 'node:stream'
import { childProcess } from '../../protocol/builtin.ts'

/**
 * Reads `+ID` and `-ID`; at the end of its input it asks each group to end, and a second later no longer asks. So it does with
 * whatever they have started that has left its group, as browsers do: found as long as those live who started it.
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
/** Should it die as often as this, something ends it on purpose. */
const MOST_STARTS = 20

export class Reaper {
  readonly #kept = new Set<number>()
  readonly #tell: (line: string) => void
  #shell: ChildProcess | undefined
  #starts = 0
  #isClosed = false

  /** `tell` hears of it when children are no longer kept. */
  constructor(tell: (line: string) => void = () => {}) {
    this.#tell = tell
  }

  /** Of the shell, while there is one. */
  get pid(): number | undefined {
    return this.#shell?.pid
  }

  /** To be called before a child is started, so that nothing stands between its start and `watch`. */
  start(): void {
    if (this.#shell !== undefined || this.#isClosed || process.platform === 'win32') return
    if (this.#starts++ >= MOST_STARTS) return
    // Nothing of our environment: it needs no more than to find sleep.
    const shell = childProcess().spawn('/bin/sh', ['-c', SCRIPT], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: '/usr/bin:/bin' },
      cwd: '/',
    })
    this.#shell = shell
    shell.once('error', (thrown) => this.#lost(shell, thrown.message))
    shell.once('exit', (code, signal) => this.#lost(shell, signal ?? `code ${code}`))
    // What is written to one that died is written again to the next.
    shell.stdin?.on('error', () => {})
    shell.unref()
    unref(shell.stdin)
    for (const id of this.#kept) this.#write(`+${id}\n`)
  }

  /** From now on this process group ends with us. */
  watch(group: number): void {
    this.#kept.add(group)
    this.#write(`+${group}\n`)
  }

  /** It is gone; its number may soon be somebody else's. */
  forget(group: number): void {
    if (this.#kept.delete(group)) this.#write(`-${group}\n`)
  }

  /** Ends it. What is still kept ends with it, as if we had died. */
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

  #lost(shell: ChildProcess, how: string): void {
    if (this.#shell !== shell) return
    this.#shell = undefined
    if (this.#isClosed) return
    const last =
      this.#starts >= MOST_STARTS ? ' It is not started again: should this process be killed, children may stay.' : ''
    this.#tell(`The keeper of the child processes ended (${how}).${last}`)
    if (this.#kept.size > 0) this.start()
  }
}

/** A pipe is a socket, and a socket that waits would keep this process from ending. */
function unref(stream: Writable | null): void {
  if (stream !== null && 'unref' in stream && typeof stream.unref === 'function') stream.unref()
}
