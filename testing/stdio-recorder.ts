/**
 * Stands between a client and its child on stdio: starts the given child, passes every byte on in both directions, and writes
 * each line down with its direction. `node wire-tap.ts FILE COMMAND ARGS…`
 */
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'

const [file = '', command = '', ...args] = process.argv.slice(2)
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })

function pass(from: Readable, to: Writable, direction: 'client' | 'server'): void {
  let partial = ''
  from.setEncoding('utf8').on('data', (text: string) => {
    const lines = (partial + text).split('\n')
    partial = lines.pop() ?? ''
    for (const line of lines) appendFileSync(file, `${direction}\t${line}\n`)
    to.write(text)
  })
  from.on('end', () => to.end())
}

pass(process.stdin, child.stdin, 'client')
pass(child.stdout, process.stdout, 'server')
child.stdin.on('error', () => undefined)
child.on('exit', (code) => process.exit(code ?? 1))
process.on('SIGTERM', () => child.kill('SIGTERM'))
