/** The target of a suite: the fixture server or a host in front of it, in its own process, or a port where nothing listens. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'

export interface Target {
  readonly url: string
  end(): Promise<void>
}

/** The programs that can be tested. Each prints its URL first. */
const PROGRAMS = {
  server: new URL('./server.ts', import.meta.url),
  host: new URL('./host.ts', import.meta.url),
}
export type Program = keyof typeof PROGRAMS

/** Its IPC channel is its life line: the server ends when this process does, however that ends. `log` gets its stderr. */
export async function start(program: Program, log: string): Promise<Target> {
  const child = fork(PROGRAMS[program], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  mkdirSync(dirname(log), { recursive: true })
  child.stderr?.pipe(createWriteStream(log))
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  const first = once(lines, 'line').then(([line]) => line as string)
  const died = exited.then(([code]) => {
    throw new Error(`the ${program} under test ended with ${code} before it listened; see ${log}`)
  })
  const url = await Promise.race([first, died])
  died.catch(() => {}) // from here on its end is no surprise
  return {
    url,
    async end() {
      if (child.connected) child.disconnect()
      await exited
    },
  }
}

/** A port that was free a moment ago. */
export async function deadUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}/mcp`
}
