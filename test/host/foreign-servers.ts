/** The servers nobody here wrote, each with a folder to work in. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const EVERYTHING = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))
const FILESYSTEM = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'))
const MEMORY = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'))
const THINKING = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-sequential-thinking/dist/index.js'))

/** As in an `mcpServers` block. */
export interface ServerEntry {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export interface ForeignServer {
  /** its name behind the host */
  readonly name: string
  /** of the URIs of its resources, where it has some */
  readonly scheme?: string
  entry(folder: string): ServerEntry
  /** Puts the folder into the state that the steps begin with. */
  prepare(folder: string): void
}

const node = (args: readonly string[], env: Record<string, string> = {}): ServerEntry => ({
  command: process.execPath,
  args,
  env,
})

function fill(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'notes'), { recursive: true })
  writeFileSync(join(folder, 'poem.txt'), 'one\ntwo\nthree\nfour\nfünf 🐜\n')
  writeFileSync(join(folder, 'notes', 'list.md'), '# List\n\n- coffee\n')
  writeFileSync(join(folder, 'dot.png'), Buffer.from('iVBORw0KGgo=', 'base64'))
  writeFileSync(join(folder, 'ring.mp3'), Buffer.from('SUQzAw==', 'base64'))
}

const nothing = (folder: string): void => {
  mkdirSync(folder, { recursive: true })
}

export const everything: ForeignServer = {
  name: 'everything',
  scheme: 'demo',
  entry: () => node([EVERYTHING, 'stdio'], { GREETING: 'from the test' }),
  prepare: nothing,
}

export const filesystem: ForeignServer = {
  name: 'filesystem',
  entry: (folder) => node([FILESYSTEM, folder]),
  prepare: fill,
}

export const memory: ForeignServer = {
  name: 'memory',
  scheme: 'memory',
  entry: (folder) => node([MEMORY], { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') }),
  prepare: (folder) => {
    nothing(folder)
    rmSync(join(folder, 'memory.jsonl'), { force: true })
  },
}

export const thinking: ForeignServer = {
  name: 'thinking',
  entry: () => node([THINKING], { DISABLE_THOUGHT_LOGGING: 'true' }),
  prepare: nothing,
}

/** What a client of that server, and the host in its place, tell when it asks for roots. */
export const rootsOf = (folder: string): string[] => [pathToFileURL(folder).href]
