// A long list of works: what is typed leaves the fitting ones, and those that are ticked.
"use strict";
const find = document.getElementById("find-own"), rows = [...document.querySelectorAll(".choice.own")];
find.hidden = false;
find.addEventListener("input", () => {
  const wanted = find.value.trim().toLowerCase();
  for (const row of rows) row.hidden = !row.control.checked && !row.textContent.toLowerCase().includes(wanted);
});
find.addEventListener("keydown", (event) => { if (event.key === "Enter") event.preventDefault(); }); // Start is a button
