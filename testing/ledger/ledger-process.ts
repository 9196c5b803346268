/** Real processes on one ledger, each running a job of ledger-child.ts. */
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Store } from './ledger-store.ts'

const CHILD = fileURLToPath(new URL('ledger-child.ts', import.meta.url))

export class LedgerProcess {
  readonly #child: ChildProcess
  readonly #words: string[] = []
  #waiting: (() => void) | undefined

  constructor(job: string, store: Pick<Store, 'address' | 'keyFile'>, { name = '', count = 0 } = {}) {
    const args = [job, store.address, store.keyFile, name, String(count)]
    this.#child = fork(CHILD, args, { execArgv: [] })
    this.#child.on('message', (word) => {
      this.#words.push(String(word))
      this.#waiting?.()
    })
    this.#child.on('exit', (code) => {
      this.#words.push(`ended with ${code}`)
      this.#waiting?.()
    })
  }

  /** The next thing it says. */
  async word(): Promise<string> {
    while (this.#words.length === 0) {
      await new Promise<void>((resolve) => {
        this.#waiting = resolve
      })
    }
    return this.#words.shift() as string
  }

  go(): void {
    this.#child.send('go')
  }

  /** No file that it writes may become larger than this, as on a disk that is full. */
  limitFiles(bytes: number | 'unlimited'): void {
    execFileSync('prlimit', ['--pid', String(this.#child.pid), `--fsize=${bytes}:`])
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.kill('SIGKILL')
    await once(this.#child, 'exit')
  }
}
