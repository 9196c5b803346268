/**
 * The statements of the specification, as data: the titles of the tests under test/specification. The reader is strict, because what it
 * returns is the table in docs/specification.md: a title that it cannot read is an error with its line.
 */

export interface Statement {
  /** number and name of a section, as `§3.1 Tool call` */
  readonly section: string
  readonly text: string
}

export interface SpecificationDocument {
  /** the file of the tests, from the root of the repository */
  readonly file: string
  /** as its file opens: what the document is */
  readonly title: string
  readonly statements: readonly Statement[]
}

export class StatementError extends Error {
  constructor(file: string, line: number, message: string) {
    super(`${file}:${line}: ${message}`)
    this.name = 'StatementError'
  }
}

const HEAD = /^\/\*\* (Document \d: [^\n]+?)\.? \*\//
/** A section without a number in its document is named alone: `§ Error conditions`. */
const SECTION = /^§(?:\d+(?:\.\d+)?(?:\.[A-Z])?)? \S/
const CALL = /^( *)(describe|test)(\.\w+)?\((?:(['"])(.*)\4)?/

/** The statements of one test file, in its order. Each is a test inside the `describe` of its section. */
export function statementsOf(file: string, text: string): SpecificationDocument {
  const title = HEAD.exec(text)?.[1]
  if (title === undefined) throw new StatementError(file, 1, 'the file must open with /** Document N: TITLE. */')
  const statements: Statement[] = []
  let section: string | undefined
  for (const [index, line] of text.split('\n').entries()) {
    const [, indent, kind, modifier, , name] = CALL.exec(line) ?? []
    if (kind === undefined) continue
    const reject = (why: string): never => {
      throw new StatementError(file, index + 1, why)
    }
    // A statement has one test. A table of tests would be one row here, and hide which of its rows are missing.
    if (modifier !== undefined) reject(`${kind}${modifier} is not allowed here: write one test per statement.`)
    if (name === undefined) reject('the title must be a string on the same line.')
    if (kind === 'describe') {
      if (!SECTION.test(name as string))
        reject(`"${name}" must begin with § and the number of its section, as §3.1, if it has one.`)
      section = name
    } else if (section === undefined || indent === '') reject('the test must be inside the describe of its section.')
    else statements.push({ section, text: name as string })
  }
  if (statements.length === 0) throw new StatementError(file, 1, 'the file has no test.')
  return { file, title, statements }
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

/** One table per document: its sections in order, each with its statements. */
export function statementTables(documents: readonly SpecificationDocument[]): string {
  return documents
    .map(({ file, title, statements }) => {
      const rows = statements.map(({ section, text }, index) => {
        const isNew = section !== statements[index - 1]?.section
        return `| ${isNew ? cell(section) : ''} | ${cell(text)} |`
      })
      const name = file.replace(/^.*\//, '')
      return [
        `## ${title}`,
        '',
        `Tests: [${name}](../${file})`,
        '',
        '| section | statement |',
        '| --- | --- |',
        ...rows,
      ].join('\n')
    })
    .join('\n\n')
}
