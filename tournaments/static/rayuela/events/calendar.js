// The calendar's rows by the days of the reader's zone. The server sorts them by days in UTC.

const LANGUAGE = document.documentElement.lang;
const DAY = new Intl.DateTimeFormat(LANGUAGE === "en" ? "en-GB" : LANGUAGE, {
  weekday: "long", day: "numeric", month: "long",
});

function section(day) {
  const part = document.createElement("section");
  const heading = document.createElement("h2");
  heading.textContent = day;
  const list = document.createElement("ul");
  list.className = "rows card";
  part.append(heading, list);
  return part;
}

const calendar = document.getElementById("calendar");
if (calendar) {
  const parts = new Map();
  for (const row of calendar.querySelectorAll("li[data-starts]")) {
    const day = DAY.format(new Date(row.dataset.starts));
    if (!parts.has(day)) parts.set(day, section(day));
    parts.get(day).querySelector("ul").append(row);
  }
  calendar.replaceChildren(...parts.values());
}
