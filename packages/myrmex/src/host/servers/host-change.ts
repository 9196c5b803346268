/** The events that a host reports to its listeners. */

/** `server` is the name of the server that the event is about. */
export type HostChange =
  | { readonly kind: 'state'; readonly server: string; readonly state: string }
  | { readonly kind: 'listing'; readonly server: string }
  /** a tool definition changed since it was pinned; calls are rejected until a person reviews it */
  | { readonly kind: 'quarantined'; readonly server: string; readonly tool: string }
  /** added or removed by new settings */
  | { readonly kind: 'added' | 'removed'; readonly server: string }
