/**
 * Asks for a passphrase at the terminal of the process, not on stdin: a program that starts the command cannot answer through a pipe.
 * Typed characters are not shown. Without a terminal it fails.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { ToolError } from '../protocol/errors.ts'

export interface SecretTerminal {
  /** Undefined: it was cancelled with Ctrl-C or Ctrl-D. */
  ask(question: string): Promise<string | undefined>
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
      "This ledger is locked: the operator's passphrase is needed, and there is no terminal to ask for it. Run the command in a " +
        'terminal. The passphrase is not read from stdin, a file or a variable.',
    )
  }
  return {
    tell: (line) => void writeSync(output, `${line}\n`),
    async ask(question) {
      writeSync(output, question)
      input.setRawMode(true)
      const secret = readSecret(input)
      input.resume()
      try {
        return await secret
      } finally {
        input.setRawMode(false)
        input.pause()
        writeSync(output, '\n')
      }
    },
    close() {
      input.destroy()
      closeSync(output)
    },
  }
}

/** Keys until Enter. */
export function readSecret(input: NodeJS.ReadableStream): Promise<string | undefined> {
  const decoder = new StringDecoder('utf8')
  let typed = ''
  return new Promise((resolve, reject) => {
    const end = (secret: string | undefined): void => {
      input.removeListener('data', take).removeListener('error', reject).removeListener('end', cancel)
      resolve(secret)
    }
    const cancel = (): void => end(undefined)
    const take = (chunk: Buffer | string): void => {
      for (const key of typeof chunk === 'string' ? chunk : decoder.write(chunk)) {
        if (ENTER.has(key)) return end(typed)
        if (key === CTRL_C || (key === CTRL_D && typed === '')) return cancel()
        typed = edited(typed, key)
      }
    }
    input.on('data', take).on('error', reject).on('end', cancel)
  })
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
