// A page renewed part by part: what has not changed stays as it is, with all that was typed, held and scrolled in it.
// idiomorph compares with the page as it is, and so undoes what scripts have changed (docs/decisions/0017).

/**
 * The children of `root`, and of every element marked `data-parts` among them. Each is replaced as a whole when the
 * server says something else of it than before, and is the same by its `data-part`, or by its place without one. What is
 * marked `data-keep` stays as it is for as long as it is there: a script keeps it.
 */
export class Parts {
  #root;
  #sources = new WeakMap(); // as the server wrote it; scripts may have changed the element since

  constructor(root) {
    this.#root = root;
    this.#remember(root);
  }

  /** Let `root` show what the server says now, in `html`. */
  renew(html) {
    const fresh = document.createElement("template");
    fresh.innerHTML = html;
    this.#renewChildren(this.#root, fresh.content);
  }

  #remember(element) {
    for (const child of element.children) {
      this.#sources.set(child, sourceOf(child));
      if (isContainer(child)) this.#remember(child);
    }
  }

  #renewChildren(old, fresh) {
    const left = new Map([...old.children].map((child, i) => [nameOf(child, i), child]));
    const children = [...fresh.children].map((child, i) => {
      const name = nameOf(child, i);
      const standing = left.get(name);
      left.delete(name);
      return standing ? this.#renewChild(standing, child) : this.#add(child);
    });
    for (const child of left.values()) child.remove();
    children.forEach((child, i) => {
      if (old.children[i] !== child) old.insertBefore(child, old.children[i] ?? null);
    });
  }

  #add(child) {
    this.#sources.set(child, sourceOf(child));
    if (isContainer(child)) this.#remember(child);
    return child;
  }

  /** `standing` where it says the same as `child`, or else `child` in its place. */
  #renewChild(standing, child) {
    if (this.#sources.get(standing) === sourceOf(child) || "keep" in standing.dataset) return standing;
    if (isContainer(child) && isContainer(standing)) {
      this.#sources.set(standing, sourceOf(child));
      for (const name of standing.getAttributeNames()) if (!child.hasAttribute(name)) standing.removeAttribute(name);
      for (const { name, value } of child.attributes) standing.setAttribute(name, value);
      this.#renewChildren(standing, child);
      return standing;
    }
    this.#add(child);
    const held = standing.contains(document.activeElement) ? document.activeElement : null;
    const carried = typedIn(standing);
    standing.replaceWith(child);
    for (const field of carried) {
      const same = alike(child, field);
      if (same && same.value === same.defaultValue) same.value = field.value;
    }
    if (held) hold(child, held);
    return child;
  }
}

function isContainer(element) {
  return "parts" in element.dataset;
}

function nameOf(element, i) {
  return element.dataset.part ?? `${element.localName} ${i}`;
}

/** An element as text. Tokens against forgery differ in every answer and mean the same. */
function sourceOf(element) {
  return element.outerHTML.replaceAll(/(name="(?:csrfmiddlewaretoken|form_key)" value=")[^"]*/g, "$1");
}

/** The fields somebody has written in. */
function typedIn(part) {
  return [...part.querySelectorAll("input, textarea")].filter(
    (field) => field.type !== "hidden" && field.value !== field.defaultValue,
  );
}

/** The element in `part` that is for the same as `other` was in another. */
function alike(part, other) {
  if (other.id) return part.querySelector(`#${CSS.escape(other.id)}`);
  const cell = other.closest("[data-cell]");
  if (cell) return part.querySelector(`[data-cell="${CSS.escape(cell.dataset.cell)}"]`);
  const all = [...part.querySelectorAll(other.localName)];
  return all.find((one) => one.form?.action === other.form?.action && one.name === other.name && one.href === other.href);
}

/** Who was at `other` stays there, or at the first of the buttons that came in its place. */
function hold(part, other) {
  const same = alike(part, other) ?? part.querySelector("[data-actions] button");
  same?.focus({ preventScroll: true });
  if (same?.setSelectionRange && other.selectionStart !== null) {
    same.setSelectionRange(other.selectionStart, other.selectionEnd);
  }
}
