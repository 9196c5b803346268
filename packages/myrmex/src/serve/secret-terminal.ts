/**
 * Asks for a passphrase at the terminal of the process, not on stdin: a program that starts the command cannot answer through a pipe.
 * Nothing that is typed is shown while it is open, except answers to questions that are no secret. Without a terminal it fails.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { ToolError } from '../protocol/errors.ts'

export interface SecretTerminal {
  /** Undefined: it was cancelled with Ctrl-C or Ctrl-D. `isShown`: the answer is no secret and appears as it is typed. */
  ask(question: string, isShown?: boolean): Promise<string | undefined>
  tell(line: string): void
  close(): void
}

const DEVICE = process.platform === 'win32' ? '\\\\.\\CONIN$' : '/dev/tty'
const OUTPUT = process.platform === 'win32' ? '\\\\.\\CONOUT$' : '/dev/tty'

/** Throws PermissionError if this process has no terminal. */
export async function openSecretTerminal(): Promise<SecretTerminal> {
  const { ReadStream } = await import('node:tty')
  let output: number
  let input: InstanceType<typeof ReadStream>
  try {
    output = openSync(OUTPUT, 'w')
    input = new ReadStream(openSync(DEVICE, 'r'))
  } catch {
    throw ToolError.of(
      'PermissionError',
      "The operator's passphrase is needed, and there is no terminal to ask for it. Run the command in a terminal. The passphrase is " +
        'not read from stdin, a file or a variable.',
    )
  }
  // Between questions too, while a passphrase is checked: the terminal would show what an impatient person types then.
  input.setRawMode(true)
  const keys = new KeyQueue(input, () => {
    input.setRawMode(false)
    process.kill(process.pid, 'SIGINT')
  })
  return {
    tell: (line) => void writeSync(output, `${line}\n`),
    async ask(question, isShown = false) {
      writeSync(output, question)
      const show = (text: string): void => void writeSync(output, text)
      try {
        return await keys.line(isShown ? show : undefined)
      } finally {
        writeSync(output, '\n')
      }
    },
    close() {
      input.setRawMode(false)
      input.destroy()
      closeSync(output)
    },
  }
}

/** Reads lines from the keys that are typed. Keys that come before a secret is asked for are kept for it, except Ctrl-C. */
export class KeyQueue {
  #keys: string[] = []
  #onKeys: (() => void) | undefined
  #isOver = false

  /** `interrupt`: Ctrl-C was typed while there was no question. */
  constructor(input: NodeJS.ReadableStream, interrupt: () => void) {
    const decoder = new StringDecoder('utf8')
    input.on('data', (chunk: Buffer | string) => {
      const keys = [...(typeof chunk === 'string' ? chunk : decoder.write(chunk))]
      if (this.#onKeys === undefined && keys.includes(CTRL_C)) return interrupt()
      this.#keys.push(...keys)
      this.#onKeys?.()
    })
    const end = (): void => {
      this.#isOver = true
      this.#onKeys?.()
    }
    input.on('end', end).on('error', end)
  }

  /** Keys until Enter. `show` gets what is to be written for them. Undefined: cancelled, or the input has ended. */
  line(show?: (text: string) => void): Promise<string | undefined> {
    let typed = ''
    // Earlier keys may belong to a passphrase, and nobody says yes to what is not shown yet.
    if (show !== undefined) this.#keys = []
    return new Promise((resolve) => {
      const done = (line: string | undefined): void => {
        this.#onKeys = undefined
        resolve(line)
      }
      this.#onKeys = () => {
        for (let key = this.#keys.shift(); key !== undefined; key = this.#keys.shift()) {
          if (ENTER.has(key)) return done(typed)
          if (key === CTRL_C || (key === CTRL_D && typed === '')) return done(undefined)
          const before = [...typed].length
          typed = edited(typed, key)
          const added = [...typed].length - before
          show?.(added > 0 ? key : '\b \b'.repeat(-added))
        }
        if (this.#isOver) done(undefined)
      }
      this.#onKeys()
    })
  }
}

const ENTER: ReadonlySet<string> = new Set(['\r', '\n'])
const ERASE: ReadonlySet<string> = new Set(['\u007f', '\b'])
const CTRL_C = '\u0003'
const CTRL_D = '\u0004'
const CTRL_U = '\u0015'

function edited(typed: string, key: string): string {
  if (ERASE.has(key)) return [...typed].slice(0, -1).join('')
  if (key === CTRL_U) return ''
  return key < ' ' ? typed : typed + key
}
