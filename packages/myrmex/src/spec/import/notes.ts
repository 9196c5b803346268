/** What an import could not take over, or changed, each with its location in the document. */
import type { TextLocation } from '../document.ts'

export interface ImportNote {
  readonly location: TextLocation
  /** the tool it is about, by the name that it was given; undefined: all of them, or one that was left out */
  readonly tool: string | undefined
  readonly message: string
}

/** The notes about one tool, in the order of the document. */
export class ToolNotes {
  readonly all: { readonly location: TextLocation; readonly message: string }[] = []
  readonly start: TextLocation

  constructor(start: TextLocation) {
    this.start = start
  }

  add(location: TextLocation | undefined, message: string): void {
    this.all.push({ location: location ?? this.start, message })
  }
}
