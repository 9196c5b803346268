/** Rules on what a tool is called, which version it is, and what it says it does. */
import { TOOL_NAME_PATTERN } from '../../protocol/envelope.ts'
import { compareVersions, isVersion } from '../../tool/version.ts'
import type { Place, Said } from '../document.ts'
import { type Fault, type Rule, toolRule } from './finding.ts'
import type { LintedTool } from './linted-tool.ts'
import { quoted, shown } from './quote.ts'

const LONGEST_NAME = 128

export const IDENTITY: readonly Rule[] = [
  toolRule('missing-name', 'error', 'The tool has no invocation name.', function* (tool) {
    const { read } = tool
    if (read.invocationName !== undefined) return
    const section = tool.filled('name')
    if (section !== undefined) {
      yield { place: section.place, message: 'no name is given here; write it in backticks, as `module.tool`.' }
    } else if (read.headingName === undefined) {
      yield {
        place: read.place,
        message: 'the tool has no name; give it in section 2, in backticks, as `module.tool`.',
      }
    }
  }),
  toolRule('name-pattern', 'error', 'A name is not of the form module.tool.', function* ({ read }) {
    const names = [read.invocationName ?? read.headingName, read.replacedBy]
    for (const said of names) if (said !== undefined) yield* badName(said)
  }),
  toolRule('name-mismatch', 'error', 'The same tool has different names in different places.', mismatches),
  {
    name: 'duplicate-tool',
    severity: 'error',
    summary: 'A tool of the same name and version is specified twice.',
    *check({ file, tools, run }) {
      for (const { name, read } of tools) {
        if (name === undefined) continue
        const key = JSON.stringify([name, read.version?.value])
        const first = run.seen.get(key)
        if (first === undefined) {
          run.seen.set(key, { file, place: read.place })
          continue
        }
        const where = first.file === file ? `line ${first.place.line}` : `${first.file}:${first.place.line}`
        const version = read.version === undefined ? 'without a version' : `in version ${quoted(read.version.value)}`
        const message = `${quoted(name)} ${version} is already specified in ${where}; take one out, or give it another version.`
        yield { place: read.place, message, tool: name }
      }
    },
  },
  toolRule('missing-version', 'error', 'The tool has no version.', function* ({ read }) {
    const message = 'no version is given; write one below the heading, such as "**Version**: 1.0.0".'
    if (read.version === undefined) yield { place: read.place, message }
  }),
  toolRule('version-not-semantic', 'error', 'The version is not a semantic version.', function* (tool) {
    const { version } = tool.read
    if (version === undefined) return
    if (!isVersion(version.value)) yield notSemantic(version, 'version')
    else if (tool.lineAt(version.place).toLowerCase().includes(`v${version.value.toLowerCase()}`)) {
      // What is meant is plain, so it is read all the same.
      const message = `the version is written ${quoted(`v${version.value}`)}; drop the v: ${version.value}.`
      yield { place: version.place, message, severity: 'warning' }
    }
  }),
  toolRule('deprecated-version', 'error', 'The version of a deprecation cannot be right.', function* ({ read }) {
    const { deprecatedIn, version } = read
    if (deprecatedIn === undefined) return
    if (!isVersion(deprecatedIn.value)) yield notSemantic(deprecatedIn, '"Deprecated in"')
    else if (isVersion(version?.value) && compareVersions(deprecatedIn.value, version.value) < 0) {
      const message = `it says deprecated in ${deprecatedIn.value}, which is above its version ${version.value}; give the version that announces it first.`
      yield { place: deprecatedIn.place, message }
    }
  }),
  toolRule('missing-description', 'error', 'The tool does not say what it does.', function* (tool) {
    const section = tool.filled('purpose')
    if (section === undefined || (tool.read.description?.value ?? '').trim() !== '') return
    yield { place: section.place, message: 'there is no description; say what the tool does and when to use it.' }
  }),
]

function* badName({ value, place }: Said): Iterable<Fault> {
  if (value.length > LONGEST_NAME) {
    yield { place, message: `the name ${quoted(value)} has ${value.length} characters; ${LONGEST_NAME} are allowed.` }
  } else if (!TOOL_NAME_PATTERN.test(value)) {
    const message = `the name ${quoted(value)} is not module.tool in lower case, digits and _ (${TOOL_NAME_PATTERN.source}).`
    yield { place, message }
  }
}

function* mismatches({ read, examples, name }: LintedTool): Iterable<Fault> {
  const { headingName: heading, invocationName: invocation } = read
  if (name === undefined) return
  // A heading may leave out the module.
  if (heading !== undefined && heading.value !== name && !name.endsWith(`.${heading.value}`)) {
    const message = `the heading says ${quoted(heading.value)}, section 2 says ${quoted(name)}; use one name.`
    yield { place: (invocation ?? heading).place, message }
  }
  for (const { call, example } of examples) {
    if (call?.toolName === undefined || call.toolName.value === name) continue
    const place: Place = example.call.placeOf(call.toolName.path)
    yield {
      place,
      message: `the example calls ${shown(call.toolName.value)}, but the tool is ${quoted(name)}; use one name.`,
    }
  }
}

function notSemantic({ value, place }: Said, what: string): Fault {
  const mended = mend(value)
  const advice = mended === undefined ? 'write three numbers, such as 1.0.0' : `write ${mended}`
  return { place, message: `${what} ${quoted(value)} is not a semantic version; ${advice}.` }
}

/** What was meant, where that is plain: a `v` too many, or a number too few. */
function mend(text: string): string | undefined {
  const bare = text.trim().replace(/^v(?:ersion)?\.?\s*/i, '')
  if (isVersion(bare)) return `${bare}, without the ${JSON.stringify(text.slice(0, text.indexOf(bare)).trim())}`
  return [`${bare}.0`, `${bare}.0.0`].find((one) => isVersion(one))
}
