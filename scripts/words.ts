/**
 * `npm run words [-- --all] [PATH…]`: lists phrases that have a plainer form, in documents, help texts, messages and comments, grouped by
 * file. It is an aid for writers and always exits 0. `--all` adds words that are often right, such as "gives" for "returns".
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

interface Phrase {
  readonly pattern: RegExp
  readonly better: string
}

const REPLACED: readonly Phrase[] = [
  { pattern: /\bunless (it is |you are )?told\b/, better: 'by default' },
  { pattern: /\bstands? (in(?! for)|beside|there)\b/, better: 'is in, is beside, is there' },
  { pattern: /\banew\b/, better: 'again' },
  { pattern: /\bmend(s|ed|ing)?\b/, better: 'fix, correct' },
  { pattern: /\b(is|are|was|were|be|been) told\b/, better: 'is reported, receives, is asked' },
  { pattern: /\btold (of|to|so)\b|\btells? of\b/, better: 'reported, asked to' },
  { pattern: /\b(a|the|no|second) yes\b/, better: 'approval' },
  { pattern: /\b(a|the) no\b(?=[\s.,;:])/, better: 'a denial' },
  { pattern: /\bwho(so)?ever\b/, better: 'name the subject' },
  { pattern: /\b(of|by) itself\b(?<=of itself)/, better: 'by itself' },
  {
    pattern:
      /\bwhat (has|is|was|are|were|had) (been )?[a-z]+(ed|en|wn|nt|ld|id|de|ft|st) (is|are|was|were|has|stays|goes)\b/i,
    better: 'name the subject',
  },
  {
    pattern:
      /(^\s*(\/?\*+|\/\/|[-|*>]|#+)?\s*|[.:;!?]\s+)What (?!(happens|happened|to|it does|you|if|does|do)\b)(?:[a-z'’]+\s+){1,8}(is|are|has|was|were)\b(?![^.!]*\?)/,
    better: 'name the subject',
  },
  { pattern: /\b(he|him|his)\b/, better: 'they, the operator, you' },
  { pattern: /\bin so many words\b|\bin the midst of\b/, better: 'explicitly, during' },
  {
    pattern: /\bthe (first|second|third|fourth|fifth)? ?seeds?\b(?! (of|that|is|to|which)\b)|\bseeds['’]/,
    better: 'the specification (a random seed: say so)',
  },
  { pattern: /\b(fleet|design|words|peers|style)\.md\b/, better: 'this file is not in the repository' },
]

const OFTEN_RIGHT: readonly Phrase[] = [
  { pattern: /\bgives?\b/, better: 'returns' },
  { pattern: /\b(tells?|says?)\b/, better: 'reports, states' },
  { pattern: /\bwhatever\b/, better: 'name the subject, any' },
  { pattern: /\bcame of\b|\bcomes of\b/, better: 'result' },
  { pattern: /\bone['’]s (own|choice)\b/, better: 'your own' },
  { pattern: /\bis over\b/, better: 'ended' },
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false } },
})
const phrases = values.all ? [...REPLACED, ...OFTEN_RIGHT] : REPLACED

/** The list quotes what it looks for; the corpus has the words of customers. */
const SKIPPED =
  /^(scripts\/words\.ts|CHANGELOG\.md|bench\/peers\/|.*package(-lock)?\.json|.*MCP_TOOL_SPECIFICATION\.md)$|\/corpus|(^|\/)dist\//

function filesIn(paths: readonly string[]): string[] {
  const patterns = paths.length > 0 ? paths : ['*.md', '*.ts', '*.mjs', '*.js']
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns], {
    encoding: 'utf8',
  })
  return listed.split('\n').filter((file) => /\.(md|ts|mjs|js)$/.test(file) && !SKIPPED.test(file))
}

/** Of a source line only what people read: comments and texts. A word in a name is found by reading the names. */
function proseOf(line: string, file: string): string {
  if (file.endsWith('.md')) return line
  const comment = /^\s*(\/?\*|\/\/)/.test(line) ? line : (/\s\/\/ .*/.exec(line)?.[0] ?? '')
  const texts = line.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`?/g) ?? []
  return [comment, ...texts.filter((text) => text.includes(' '))].join(' ')
}

let found = 0
let files = 0
for (const file of filesIn(positionals)) {
  const lines: string[] = []
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    const prose = proseOf(line, file)
    for (const { pattern, better } of phrases) {
      const match = pattern.exec(prose)
      if (match !== null) lines.push(`  ${index + 1}: "${match[0].trim()}" (${better}): ${line.trim().slice(0, 140)}`)
    }
  }
  if (lines.length === 0) continue
  found += lines.length
  files++
  process.stdout.write(`${file}\n${lines.join('\n')}\n`)
}
process.stdout.write(found === 0 ? 'words: nothing found\n' : `words: ${found} phrases in ${files} files\n`)
