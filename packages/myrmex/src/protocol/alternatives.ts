/**
 * A value that fits none of several forms (`anyOf`, `oneOf`, a union). Listing the issues of every form would read as if all of them had
 * to be corrected. So the form that was meant is found, and if there is no such one, one issue names them all.
 */
import { constraintText, oneOfWords } from './constraint.ts'
import type { FoundIssue } from './issue.ts'
import { pointer } from './json.ts'

type Branch = readonly FoundIssue[]

/** These say that the value is of another kind altogether. */
const KIND = new Set(['type', 'const', 'enum'])

/** `path` is the location of the value; each branch has the issues of one form. */
export function narrowAlternatives(branches: readonly Branch[], path: readonly PropertyKey[]): FoundIssue[] {
  const known = branches.filter(({ length }) => length > 0)
  const ofThisKind = known.filter((branch) => !branch.some((issue) => isKindIssue(issue, path.length)))
  const meant = ofThisKind.filter((branch) => markOf(branch, path.length) === undefined)
  if (meant.length === 1) return [...(meant[0] as Branch)]
  if (ofThisKind.length === 1) return [...(ofThisKind[0] as Branch)]
  const mark = meant.length === 0 ? sharedMark(ofThisKind, path.length) : undefined
  if (mark !== undefined) return [mark]
  const forms = [meant, ofThisKind, known].find(({ length }) => length > 0) ?? []
  return [{ path: [...path], keyword: 'anyOf', params: { forms, depth: path.length } }]
}

const isKindIssue = ({ path, keyword }: FoundIssue, depth: number): boolean =>
  path.length === depth && KIND.has(keyword)

/** The member that tells the forms apart, such as `kind`, if its value is that of another form. */
const markOf = (branch: Branch, depth: number): FoundIssue | undefined =>
  branch.find(({ path, keyword }) => path.length === depth + 1 && (keyword === 'const' || keyword === 'enum'))

/** If one member tells all forms apart: the issue with the values of all of them. */
function sharedMark(branches: readonly Branch[], depth: number): FoundIssue | undefined {
  const marks = branches.map((branch) => markOf(branch, depth))
  const [first] = marks
  if (first === undefined || marks.some((mark) => mark?.path.at(-1) !== first.path.at(-1))) return undefined
  const allowedValues = marks.flatMap((mark) => allowedBy(mark as FoundIssue))
  return { path: first.path, keyword: 'enum', params: { allowedValues: [...new Set(allowedValues)] } }
}

const allowedBy = ({ params }: FoundIssue): readonly unknown[] =>
  Array.isArray(params.allowedValues) ? params.allowedValues : [params.allowedValue]

const MAX_FORMS = 5
const MAX_RULES = 3

/** The sentence for the issue that names all forms. Without `mayName`, nothing of what is below the value is named. */
export function formsText({ params }: FoundIssue, mayName: boolean): string {
  const { forms, depth } = params as { forms: readonly Branch[]; depth: number }
  const kinds = forms.map((form) => kindText(form, depth))
  if (kinds.length > 0 && kinds.every((kind) => kind !== undefined)) return `must be ${oneOfWords([...new Set(kinds)])}`
  if (!mayName || forms.length < 2) return 'must fit one of the forms that the schema lists'
  const texts = [...new Set(forms.slice(0, MAX_FORMS).map((form) => formText(form, depth)))]
  const more = forms.length > MAX_FORMS ? `; or one of ${forms.length - MAX_FORMS} more` : ''
  return `must fit one of ${forms.length} forms: ${texts.join('; or ')}${more}`
}

/** `a string`, if the form demands no more than that. */
function kindText(form: Branch, depth: number): string | undefined {
  const issue = form.find((one) => isKindIssue(one, depth))
  return issue && constraintText(issue.keyword, issue.params).replace(/^must be /, '')
}

function formText(form: Branch, depth: number): string {
  const rules = form.slice(0, MAX_RULES).map((issue) => {
    const constraint = issue.keyword === 'anyOf' ? formsText(issue, false) : constraintText(issue.keyword, issue.params)
    return `${pointer(issue.path.slice(depth))} ${constraint}`.trim()
  })
  return rules.join(' and ')
}
