/**
 * A program that stands between a client and the server it starts: `stdio-tap.ts FOLDER COMMAND…` runs the command,
 * passes both directions on as they are, and writes every line to FOLDER/PID.log before it passes it on, `>` for the
 * client's and `<` for the server's. It ends with the command, and the command with it.
 */
import { spawn } from 'node:child_process'
import { appendFileSync, closeSync, openSync } from 'node:fs'
import { join } from 'node:path'

const [folder, command, ...args] = process.argv.slice(2) as [string, string, ...string[]]
const log = openSync(join(folder, `${process.pid}.log`), 'a')
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })

/** Lines as they become whole; what never does is written at the end. */
function recorder(mark: '>' | '<'): { push(chunk: Buffer): void; end(): void } {
  let open: Buffer[] = []
  const write = (line: Buffer): void => {
    if (line.length > 0) appendFileSync(log, Buffer.concat([Buffer.from(mark), line, Buffer.from('\n')]))
  }
  return {
    push(chunk) {
      let start = 0
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        write(Buffer.concat([...open, chunk.subarray(start, end)]))
        open = []
        start = end + 1
      }
      if (start < chunk.length) open.push(chunk.subarray(start))
    },
    end: () => write(Buffer.concat(open)),
  }
}

const toServer = recorder('>')
const toClient = recorder('<')
process.stdin.on('data', (chunk: Buffer) => {
  toServer.push(chunk)
  if (!child.stdin.write(chunk)) {
    process.stdin.pause()
    child.stdin.once('drain', () => process.stdin.resume())
  }
})
process.stdin.on('end', () => child.stdin.end())
child.stdout.on('data', (chunk: Buffer) => {
  toClient.push(chunk)
  process.stdout.write(chunk)
})
// The other side may be gone before we are.
child.stdin.on('error', () => {})
process.stdout.on('error', () => child.stdin.end())
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal))
child.on('close', (code) => {
  toServer.end()
  toClient.end()
  closeSync(log)
  process.exitCode = code ?? 1
  process.stdin.destroy()
})
