/** One sign of an attack in one text. Signals of a definition are weighed together. */
export interface Signal {
  readonly rule: string
  readonly weight: number
  /** what was found, and why it matters */
  readonly message: string
  readonly quote: string
  /** Quoted, reported or part of an example: shown, but not counted. */
  readonly isMention?: boolean
}
