// The admin link carries its token behind the "#": it never leaves the browser except in this form's body.
"use strict";
const token = location.hash.slice(1);
if (token) {
  history.replaceState(null, "", location.pathname + location.search);
  const form = document.getElementById("login");
  form.elements.secret.value = decodeURIComponent(token);
  form.submit();
}
