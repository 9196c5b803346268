/** A page with one message: not found, or refused. */

export const message = `<div class="message">
<h1>{{ heading }}</h1>
<p>{{ text }}</p>
{%- if reference %}
<p class="quiet">If you write to us about it, give this reference: <code>{{ reference }}</code></p>
{%- endif %}
<p><a class="button" href="{{ href }}">{{ link }}</a></p>
</div>
`
