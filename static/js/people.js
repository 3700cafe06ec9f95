/* Finds people among many: <input data-finds="SELECTOR"> shows only the choices in there whose label holds its words.

   A choice that is ticked stays. Without the script there is no such field, and all of them are shown. */

const choices = (input) => document.querySelectorAll(`${input.dataset.finds} [id] label`);

function find(input) {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const label of choices(input)) {
    const text = label.textContent.toLowerCase();
    label.hidden = !label.control?.checked && !words.every((word) => text.includes(word));
  }
}

const show = () => {
  for (const input of document.querySelectorAll("[data-finds]")) input.closest("label").hidden = false;
};

document.addEventListener("input", ({ target }) => {
  if (target.dataset.finds) find(target);
});
document.addEventListener("htmx:afterSwap", show);
show();
