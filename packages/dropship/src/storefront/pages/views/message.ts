/** A page with one message: not found, or refused. */

export const message = `<div class="message">
<h1>{{ heading }}</h1>
<p>{{ text }}</p>
<p><a class="button" href="{{ href }}">{{ link }}</a></p>
</div>
`
