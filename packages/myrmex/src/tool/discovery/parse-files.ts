/**
 * A program that parses a file and the files that it imports, and executes none of them. Node then prints the line and column of the first
 * syntax error, which it does not tell a program that imports the file. `load-error.ts` starts it with `--experimental-vm-modules`.
 */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { SourceTextModule } from 'node:vm'

/** More files than one tool file usually imports, and few enough to be parsed while somebody waits. */
const MAX_FILES = 100

const urls = new Set([pathToFileURL(process.argv[2] as string).href])
for (const url of urls) {
  const code = sourceOf(url)
  if (code === undefined) continue
  // Not caught: Node prints the location.
  const { dependencySpecifiers } = new SourceTextModule(code, { identifier: fileURLToPath(url) })
  for (const specifier of dependencySpecifiers) {
    const isPath = /^(\.{0,2}\/|file:)/.test(specifier) && /\.m?[jt]s$/.test(specifier)
    if (isPath && urls.size < MAX_FILES) urls.add(new URL(specifier, url).href)
  }
}

function sourceOf(url: string): string | undefined {
  try {
    const text = readFileSync(new URL(url), 'utf8')
    return url.endsWith('ts') ? stripTypeScriptTypes(text) : text
  } catch {
    // Missing, or not TypeScript: Node has said where.
    return undefined
  }
}
