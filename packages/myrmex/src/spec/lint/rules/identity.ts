/** Rules about the name, the version and the description of a tool. */
import { TOOL_NAME_PATTERN } from '../../../protocol/envelope.ts'
import { compareVersions, isVersion } from '../../../tool/version.ts'
import type { StatedValue, TextLocation } from '../../document.ts'
import { formRule, type Rule, type RuleFinding, toolRule } from '../finding.ts'
import type { LintedTool } from '../linted-tool.ts'
import { quoteText, showValue } from '../show-value.ts'

const MAX_NAME_LENGTH = 128

export const IDENTITY: readonly Rule[] = [
  toolRule('missing-name', 'error', 'The tool has no invocation name.', function* (tool) {
    const { parsed } = tool
    if (tool.name !== undefined) return
    const section = tool.nonEmptySection('name')
    if (section !== undefined) {
      yield { location: section.location, message: 'there is no name here. Write it in backticks, as `module.tool`.' }
    } else {
      yield {
        location: parsed.location,
        message: 'the tool has no name. Write it in section 2, in backticks, as `module.tool`.',
      }
    }
  }),
  formRule('name-pattern', 'error', 'A name does not have the form module.tool.', function* ({ parsed }) {
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
        const message = `${quoteText(name)} ${version} is already specified in ${where}. Remove one, or give it another version.`
        yield { location: parsed.location, message, tool: name }
      }
    },
  },
  formRule('missing-version', 'error', 'The tool has no version.', function* ({ parsed, isOnlyListed }) {
    const message = 'there is no version. Write one below the heading, such as "**Version**: 1.0.0".'
    if (parsed.version === undefined && !isOnlyListed) yield { location: parsed.location, message }
  }),
  toolRule('version-not-semantic', 'error', 'The version is not a semantic version.', function* (tool) {
    const { version } = tool.parsed
    if (version === undefined) return
    if (!isVersion(version.value)) yield notSemantic(version, 'version')
    else if (tool.lineAt(version.location).toLowerCase().includes(`v${version.value.toLowerCase()}`)) {
      // The meaning is clear, so the version is used.
      const message = `the version is written ${quoteText(`v${version.value}`)}. Remove the v: ${version.value}.`
      yield { location: version.location, message, severity: 'warning' }
    }
  }),
  toolRule('deprecated-version', 'error', 'The version in "Deprecated in" is not valid.', function* ({ parsed }) {
    const { deprecatedIn, version } = parsed
    if (deprecatedIn === undefined) return
    if (!isVersion(deprecatedIn.value)) yield notSemantic(deprecatedIn, '"Deprecated in"')
    else if (isVersion(version?.value) && compareVersions(deprecatedIn.value, version.value) < 0) {
      const message = `"Deprecated in" is ${deprecatedIn.value}, which is above the version of the tool, ${version.value}. Write the version that first announced it.`
      yield { location: deprecatedIn.location, message }
    }
  }),
  formRule('missing-description', 'error', 'The tool has no description.', function* (tool) {
    const section = tool.nonEmptySection('purpose')
    if (section === undefined || (tool.parsed.description?.value ?? '').trim() !== '') return
    yield { location: section.location, message: 'there is no description. Say what the tool does and when to use it.' }
  }),
]

function* badName({ value, location }: StatedValue): Iterable<RuleFinding> {
  if (value.length > MAX_NAME_LENGTH) {
    yield {
      location,
      message: `the name ${quoteText(value)} has ${value.length} characters. At most ${MAX_NAME_LENGTH} are allowed.`,
    }
  } else if (TOOL_NAME_PATTERN.test(`module.${value}`) && !value.includes('.')) {
    const message = `the name ${quoteText(value)} has no module. Write it as module.tool, such as "shop.${value}".`
    yield { location, message, same: 'no module' }
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
    const message = `the heading says ${quoteText(heading.value)}, section 2 says ${quoteText(name)}. Use one name.`
    yield { location: (invocation ?? heading).location, message }
  }
  for (const { call, example } of examples) {
    if (call?.toolName === undefined || call.toolName.value === name) continue
    const place: TextLocation = example.call.locationOf(call.toolName.path)
    yield {
      location: place,
      message: `the example calls ${showValue(call.toolName.value)}, but the tool is ${quoteText(name)}. Use one name.`,
    }
  }
}

function notSemantic({ value, location }: StatedValue, what: string): RuleFinding {
  const suggestion = suggestVersion(value)
  const advice = suggestion === undefined ? 'Write three numbers, such as 1.0.0' : `Write ${suggestion}`
  return { location, message: `${what} ${quoteText(value)} is not a semantic version. ${advice}.` }
}

/** The version that was probably meant: without a leading `v`, or with the missing numbers. */
function suggestVersion(text: string): string | undefined {
  const bare = text.trim().replace(/^v(?:ersion)?\.?\s*/i, '')
  if (isVersion(bare)) return `${bare}, without the ${JSON.stringify(text.slice(0, text.indexOf(bare)).trim())}`
  return [`${bare}.0`, `${bare}.0.0`].find((one) => isVersion(one))
}
