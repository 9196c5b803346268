/** The order form, with problems beside their fields and listed at the top. */
import { ORDER_SUM } from './parts.ts'

export const orderForm = `<h1>Your order</h1>
<ol class="steps">
<li aria-current="step">Address</li>
<li>Test payment</li>
<li>Done</li>
</ol>
{%- if problems.size > 0 %}
<div class="problems" role="alert">
<h2>Please look at {{ problems.size }} {% if problems.size == 1 %}field{% else %}fields{% endif %}</h2>
<ul>
{%- for problem in problems %}
<li><a href="#{{ problem.name }}">{{ problem.text }}</a></li>
{%- endfor %}
</ul>
</div>
{%- endif %}
{%- if changed %}
<p class="notice" role="status"><strong>A price has changed.</strong> The total below is the new one.</p>
{%- endif %}
<div class="halves">
<form class="fields" method="post" action="/shop/order" novalidate>
<input type="hidden" name="slip" value="{{ slip }}">
{%- for field in fields %}
<div class="field field-{{ field.name }}">
<label for="{{ field.name }}">{{ field.label }}</label>
{%- if field.type == 'select' %}
<select id="{{ field.name }}" name="{{ field.name }}" autocomplete="{{ field.autocomplete }}" required{% if field.problem %} aria-invalid="true" aria-describedby="{{ field.name }}-problem"{% endif %}>
<option value="">Choose</option>
{%- for country in countries %}
<option value="{{ country.code }}"{% if country.code == field.value %} selected{% endif %}>{{ country.name }}</option>
{%- endfor %}
</select>
{%- else %}
<input id="{{ field.name }}" name="{{ field.name }}" type="{{ field.type }}" autocomplete="{{ field.autocomplete }}" maxlength="{{ field.most }}" value="{{ field.value }}" required{% if field.problem %} aria-invalid="true" aria-describedby="{{ field.name }}-problem"{% endif %}>
{%- endif %}
{%- if field.problem %}
<p class="problem" id="{{ field.name }}-problem">{{ field.problem }}</p>
{%- endif %}
</div>
{%- endfor %}
<button class="button" type="submit">Continue to the test payment</button>
</form>
${ORDER_SUM}
</section>
</div>
`
