/** The `myrmex` command in a folder of its own where a shop is kept, for tests of the shop as its owner uses it. */
import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { StartedCommand } from '../cli/run-command.ts'
import { type CommandEnd, runToEnd } from '../cli/run-to-end.ts'
import { CLI } from '../paths.ts'
import { shopTemplate } from './test-shops.ts'

export class ShopOwner {
  readonly folder: string
  readonly env: Record<string, string | undefined>
  readonly #started: StartedCommand[] = []

  constructor(env: Record<string, string> = {}) {
    this.folder = mkdtempSync(join(tmpdir(), 'myrmex-dropship-'))
    const { MYRMEX_SHOP: _, MYRMEX_LEDGER: __, MYRMEX_TOKEN: ___, ...rest } = process.env
    this.env = { ...rest, NO_COLOR: '1', TZ: 'UTC', ...env }
    onTestFinished(async () => {
      for (const { child, ended } of this.#started) {
        child.kill('SIGKILL')
        await ended
      }
      rmSync(this.folder, { recursive: true, force: true })
    })
  }

  start(...args: string[]): StartedCommand {
    const child = spawn(process.execPath, [CLI, ...args], { cwd: this.folder, env: this.env })
    const started = new StartedCommand(child)
    this.#started.push(started)
    return started
  }

  myrmex(...args: string[]): Promise<CommandEnd> {
    // The shop is opened once a process.
    return runToEnd(args, { cwd: this.folder, env: this.env, ownProcess: true })
  }

  /** The default shop is there already: making one takes seconds. */
  async withShop(): Promise<this> {
    mkdirSync(dirname(this.file), { recursive: true })
    copyFileSync(await shopTemplate('default'), this.file)
    return this
  }

  get file(): string {
    return join(this.folder, '.myrmex', 'shop.db')
  }
}
