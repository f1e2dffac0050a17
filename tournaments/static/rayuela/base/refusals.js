// What the server refuses, in words, with the paragraph of the rules it cites as a link.

/** Show `sentence` in `place`, and beside it what an answer of the server adds. */
export function showRefusal(place, sentence, { paragraph = "", rule_url: url = "", code = "", detail = "" } = {}) {
  const message = document.createElement("p");
  message.className = "message error";
  message.textContent = sentence;
  if (paragraph) {
    const cited = document.createElement("a");
    cited.className = "mono";
    cited.href = url;
    cited.textContent = paragraph;
    message.append(" ", cited);
  }
  if (detail && code === "illegal-move") {
    const small = document.createElement("span");
    small.className = "small";
    small.textContent = detail;
    message.append(document.createElement("br"), small);
  }
  place.replaceChildren(message);
}

/** The refusal an answer holds; what is no refusal of ours is told by its status. */
export async function refusalIn(response) {
  const isJson = (response.headers.get("Content-Type") ?? "").includes("json");
  return isJson ? response.json() : { sentence: response.statusText };
}
