/**
 * Paths of an imported entry that are relative to the file it came from, made absolute: in myrmex.json they would start in another
 * folder.
 */
import { statSync } from 'node:fs'
import { basename, dirname, isAbsolute, resolve } from 'node:path'
import { isObject, type Json, type JsonObject } from '../../../protocol/json.ts'

/** Folders of clients in a project, whose servers run in the project itself. */
const CLIENT_FOLDERS: ReadonlySet<string> = new Set(
  '.vscode .cursor .gemini .roo .zed .github .kiro .codex .claude .windsurf'.split(' '),
)

/** Where relative paths in a client's file start. */
export function baseFolder(file: string): string {
  const folder = dirname(file)
  return CLIENT_FOLDERS.has(basename(folder)) ? dirname(folder) : folder
}

const WORKSPACE = /\$\{(?:workspaceFolder|workspaceRoot|workspaceFolder:[^}]*)\}/g
const WORKSPACE_NAME = /\$\{workspaceFolderBasename\}/g

/** The entry as it is right in `folder`, that of myrmex.json. */
export const entryFor = (entry: JsonObject, base: string, folder: string): JsonObject =>
  resolve(folder) === base ? entry : relocated(entry, base)

function relocated(entry: JsonObject, base: string): JsonObject {
  const filled = (text: string): string =>
    text.replace(WORKSPACE, () => base).replace(WORKSPACE_NAME, () => basename(base))
  let namesSomething = false
  const argument = (word: Json): Json => {
    if (typeof word !== 'string') return word
    const text = filled(word)
    const [, option = '', path = text] = /^(--?[\w-]+=)(.+)$/s.exec(text) ?? []
    const kind = isRelativePath(path) ? kindOf(resolve(base, path)) : undefined
    if (kind === undefined) return text
    namesSomething = true
    return isPath(path, kind) ? option + resolve(base, path) : text
  }
  const { command, args, cwd, env, url, headers } = entry
  if (typeof command !== 'string')
    return { ...entry, ...(typeof url === 'string' && { url: filled(url) }), ...valuesOf({ headers }, base, filled) }
  const program = filled(command)
  const moved = {
    command: /[/\\]/.test(program) && isRelativePath(program) ? resolve(base, program) : program,
    ...(Array.isArray(args) && { args: args.map(argument) }),
  }
  const isMoved = namesSomething || moved.command !== program || JSON.stringify(moved.args) !== JSON.stringify(args)
  const place = typeof cwd === 'string' ? filled(cwd) : isMoved ? base : undefined
  return {
    ...entry,
    ...moved,
    // What names one path in its folder may open others there.
    ...(place !== undefined && { cwd: isRelativePath(place) ? resolve(base, place) : place }),
    ...valuesOf({ env }, base, filled),
  }
}

/** Undefined: nothing has this name. */
function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file'
  } catch {
    // Also a word that no path can be, such as a very long one.
    return undefined
  }
}

/**
 * A word can be the name of a package, an image or a command of the program, and a folder can have the same name by chance: `npx time-mcp`
 * beside a folder `time-mcp`. Such a word is not changed. If it is a path, it is found in the working directory.
 */
const isPath = (word: string, kind: 'file' | 'folder'): boolean =>
  /^\.{1,2}(?:[/\\]|$)|[/\\]$/.test(word) || (kind === 'file' && /[/\\]|\.[^.]+$/.test(word))

/** Neither a URL, nor an option, nor a path in the home folder, nor text with a variable in front. */
const isRelativePath = (text: string): boolean =>
  text !== '' && !isAbsolute(text) && !/^(?:~|-|\$|[A-Za-z][A-Za-z0-9+.-]*:)/.test(text)

/** Variables of the workspace, and files of secrets. */
function valuesOf(blocks: JsonObject, base: string, filled: (text: string) => string): JsonObject {
  const moved = (value: Json | undefined): Json | undefined => {
    if (typeof value === 'string') return filled(value)
    if (!isObject(value) || typeof value.from_file !== 'string' || !isRelativePath(value.from_file)) return value
    return { ...value, from_file: resolve(base, value.from_file) } as JsonObject
  }
  return Object.fromEntries(
    Object.entries(blocks).flatMap(([key, block]) =>
      isObject(block)
        ? [[key, Object.fromEntries(Object.entries(block).map(([name, value]) => [name, moved(value as Json)]))]]
        : [],
    ),
  )
}
