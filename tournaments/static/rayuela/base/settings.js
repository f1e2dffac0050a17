// A choice in the settings is stored as it is made, and the page takes its look.

const form = document.querySelector("form[data-instant]");
const status = form.querySelector("[role=status]");

form.addEventListener("change", async () => {
  const response = await fetch(form.action, { method: "POST", body: new FormData(form) });
  if (!response.ok) return form.submit();
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  document.querySelector(".settings figure").replaceWith(page.querySelector(".settings figure"));
  Object.assign(document.documentElement.dataset, { ...page.documentElement.dataset });
  status.textContent = status.dataset.stored;
});
