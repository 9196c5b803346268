/** Rules on what a tool is called, which version it is, and what it says it does. */
import { TOOL_NAME_PATTERN } from '../../../protocol/envelope.ts'
import { compareVersions, isVersion } from '../../../tool/version.ts'
import type { StatedValue, TextLocation } from '../../document.ts'
import { type Rule, type RuleFinding, toolRule } from '../finding.ts'
import type { LintedTool } from '../linted-tool.ts'
import { quoteText, showValue } from '../show-value.ts'

const LONGEST_NAME = 128

export const IDENTITY: readonly Rule[] = [
  toolRule('missing-name', 'error', 'The tool has no invocation name.', function* (tool) {
    const { parsed } = tool
    if (parsed.invocationName !== undefined) return
    const section = tool.nonEmptySection('name')
    if (section !== undefined) {
      yield { location: section.location, message: 'no name is given here; write it in backticks, as `module.tool`.' }
    } else if (parsed.headingName === undefined) {
      yield {
        location: parsed.location,
        message: 'the tool has no name; give it in section 2, in backticks, as `module.tool`.',
      }
    }
  }),
  toolRule('name-pattern', 'error', 'A name is not of the form module.tool.', function* ({ parsed }) {
    const names = [parsed.invocationName ?? parsed.headingName, parsed.replacedBy]
    for (const said of names) if (said !== undefined) yield* badName(said)
  }),
  toolRule('name-mismatch', 'error', 'The same tool has different names in different places.', mismatches),
  {
    name: 'duplicate-tool',
    severity: 'error',
    summary: 'A tool of the same name and version is specified twice.',
    *check({ file, tools, run }) {
      for (const { name, parsed } of tools) {
        if (name === undefined) continue
        const key = JSON.stringify([name, parsed.version?.value])
        const first = run.seen.get(key)
        if (first === undefined) {
          run.seen.set(key, { file, location: parsed.location })
          continue
        }
        const where = first.file === file ? `line ${first.location.line}` : `${first.file}:${first.location.line}`
        const version =
          parsed.version === undefined ? 'without a version' : `in version ${quoteText(parsed.version.value)}`
        const message = `${quoteText(name)} ${version} is already specified in ${where}; take one out, or give it another version.`
        yield { location: parsed.location, message, tool: name }
      }
    },
  },
  toolRule('missing-version', 'error', 'The tool has no version.', function* ({ parsed }) {
    const message = 'no version is given; write one below the heading, such as "**Version**: 1.0.0".'
    if (parsed.version === undefined) yield { location: parsed.location, message }
  }),
  toolRule('version-not-semantic', 'error', 'The version is not a semantic version.', function* (tool) {
    const { version } = tool.parsed
    if (version === undefined) return
    if (!isVersion(version.value)) yield notSemantic(version, 'version')
    else if (tool.lineAt(version.location).toLowerCase().includes(`v${version.value.toLowerCase()}`)) {
      // What is meant is plain, so it is read all the same.
      const message = `the version is written ${quoteText(`v${version.value}`)}; drop the v: ${version.value}.`
      yield { location: version.location, message, severity: 'warning' }
    }
  }),
  toolRule('deprecated-version', 'error', 'The version of a deprecation cannot be right.', function* ({ parsed }) {
    const { deprecatedIn, version } = parsed
    if (deprecatedIn === undefined) return
    if (!isVersion(deprecatedIn.value)) yield notSemantic(deprecatedIn, '"Deprecated in"')
    else if (isVersion(version?.value) && compareVersions(deprecatedIn.value, version.value) < 0) {
      const message = `it says deprecated in ${deprecatedIn.value}, which is above its version ${version.value}; give the version that announces it first.`
      yield { location: deprecatedIn.location, message }
    }
  }),
  toolRule('missing-description', 'error', 'The tool does not say what it does.', function* (tool) {
    const section = tool.nonEmptySection('purpose')
    if (section === undefined || (tool.parsed.description?.value ?? '').trim() !== '') return
    yield { location: section.location, message: 'there is no description; say what the tool does and when to use it.' }
  }),
]

function* badName({ value, location }: StatedValue): Iterable<RuleFinding> {
  if (value.length > LONGEST_NAME) {
    yield {
      location,
      message: `the name ${quoteText(value)} has ${value.length} characters; ${LONGEST_NAME} are allowed.`,
    }
  } else if (!TOOL_NAME_PATTERN.test(value)) {
    const message = `the name ${quoteText(value)} is not module.tool in lower case, digits and _ (${TOOL_NAME_PATTERN.source}).`
    yield { location, message }
  }
}

function* mismatches({ parsed, examples, name }: LintedTool): Iterable<RuleFinding> {
  const { headingName: heading, invocationName: invocation } = parsed
  if (name === undefined) return
  // A heading may leave out the module.
  if (heading !== undefined && heading.value !== name && !name.endsWith(`.${heading.value}`)) {
    const message = `the heading says ${quoteText(heading.value)}, section 2 says ${quoteText(name)}; use one name.`
    yield { location: (invocation ?? heading).location, message }
  }
  for (const { call, example } of examples) {
    if (call?.toolName === undefined || call.toolName.value === name) continue
    const place: TextLocation = example.call.locationOf(call.toolName.path)
    yield {
      location: place,
      message: `the example calls ${showValue(call.toolName.value)}, but the tool is ${quoteText(name)}; use one name.`,
    }
  }
}

function notSemantic({ value, location }: StatedValue, what: string): RuleFinding {
  const mended = mend(value)
  const advice = mended === undefined ? 'write three numbers, such as 1.0.0' : `write ${mended}`
  return { location, message: `${what} ${quoteText(value)} is not a semantic version; ${advice}.` }
}

/** What was meant, where that is plain: a `v` too many, or a number too few. */
function mend(text: string): string | undefined {
  const bare = text.trim().replace(/^v(?:ersion)?\.?\s*/i, '')
  if (isVersion(bare)) return `${bare}, without the ${JSON.stringify(text.slice(0, text.indexOf(bare)).trim())}`
  return [`${bare}.0`, `${bare}.0.0`].find((one) => isVersion(one))
}
