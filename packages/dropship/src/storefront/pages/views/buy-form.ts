/** The form that adds a product to the cart, as Liquid, for every page that sells one. */
export const BUY_FORM = `{%- unless paused %}
<form class="buy" method="post" action="/shop/cart">
<input type="hidden" name="sku" value="{{ sku }}">
<div>
<label for="quantity">Pieces</label>
<input id="quantity" name="quantity" type="number" min="1" max="{{ most_pieces }}" value="1" required>
</div>
<button type="submit" name="do" value="add">Add to cart</button>
</form>
{%- endunless %}`
